// Text of the first steps.

export const START = {
  intro: 'Four steps from an empty service to your own first indicator in a program of yours.',
  key: {
    title: 'Make a key for a sensor',
    says: 'It can send events and read nothing, so it may lie on a machine that is attacked.',
    name: 'Name of the sensor',
    defaultName: 'first-sensor',
    submit: 'Make the key',
    cannot:
      'This needs the role key manager. Ask an administrator, or for a sensor key that is there already.',
    shown: 'Store it now: it is shown on this page only, and only until you leave it.',
    label: 'the sensor key',
  },
  send: {
    title: 'Send an event',
    says: 'Choose how. The command of one event works as it is in any shell.',
  },
  see: {
    title: 'See it arrive',
    waits: 'Waiting for the first event of that sensor. It appears here by itself.',
    lost: 'The connection to the service is lost. This page tries again.',
    ended: 'The session has ended. Sign in again.',
    needsKey: 'Make a key first.',
    arrived: 'Here it is:',
    open: 'Open it',
    why: 'Its page says why it has its score, and what was seen.',
  },
  read: {
    title: 'Let a program read',
    says: 'Give a SIEM or a script a key of its own, and the address of the feed.',
    keys: 'Make a key',
    feed: 'How each program is set up',
  },
  done: 'done',
};
