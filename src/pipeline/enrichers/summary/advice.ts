// What follows for the reader: one sentence by the verdict and the worst act.

import { INTENTS, type IndicatorRecord } from '../../../domain/indicator/indicator.ts';
import { isHostile } from '../../../domain/score/hostile.ts';
import type { ReceiptScanner, Verdict } from '../../../domain/score/score-receipt.ts';
import type { Role } from './acts.ts';
import { listed } from './extent.ts';
import { plainName, quoted } from './quoted.ts';

const WRITE = INTENTS.indexOf('write');

export interface Advised {
  readonly record: IndicatorRecord;
  readonly verdict: Verdict;
  readonly role: Role;
  /** Such as `Modbus (port 502)`; empty if unknown. */
  readonly service: string;
  readonly scanner?: ReceiptScanner;
  /** The list of known values that names it. */
  readonly knownBy?: string;
  readonly isShared: boolean;
}

export function adviceFor(advised: Advised): string {
  const { record, verdict, scanner, knownBy, service } = advised;
  if (record.neverBlock !== undefined)
    return 'It is on your never-block list: talk to its owner, since the act may come from an infected machine there.';
  switch (verdict.verdict) {
    case 'MALICIOUS':
      return againstMalice(advised);
    case 'SUSPICIOUS':
      return onSuspicion(advised);
    case 'SCANNER':
      return `What it found at yours may be shown by ${plainName(scanner?.name ?? 'its owner')}${service === '' ? '' : `, so keep ${service} closed to the Internet`}.`;
    case 'BENIGN':
      return knownBy === undefined
        ? 'A person called it harmless, so do not block it.'
        : `Do not block it: it is on the list ${quoted(knownBy)}.`;
    case 'UNKNOWN':
      return onTooLittle(advised);
  }
}

function againstMalice({ record, role, service, isShared }: Advised): string {
  const { categories } = record.indicator;
  const { lead, behaviours } = record.evidence;
  const block = isShared ? 'Many share it, so block what it does and not all of it' : 'Block it';
  if (INTENTS.indexOf(lead.intent) >= WRITE)
    return `${block}, and check whether ${service === '' ? 'controllers' : service} of yours can be reached from it.`;
  if (role === 'file') return 'Search your machines for this hash: where it is, the attackers were.';
  if (categories.includes('COMMAND_AND_CONTROL'))
    return `${block}, and search your logs: a machine that talks to it is probably infected.`;
  if (categories.includes('PHISHING'))
    return `${block}, and look for mails that lead there and for who followed them.`;
  if (role === 'means') return `${block}, and search your logs for machines that loaded it.`;
  const isLogin = behaviours.some((code) => /^(?:login|command):/.test(code));
  if (behaviours.includes('command:download') || behaviours.includes('command:mine'))
    return `${block}: where it can log in, it installs malware.`;
  if (behaviours.includes('login:default-credentials'))
    return `${block}, and make sure that no device of yours has the credentials of its vendor.`;
  if (categories.includes('EXPLOIT') && !isLogin)
    return `${block}, and check how ${service === '' ? 'your services' : service} of yours answered such requests.`;
  if (categories.includes('BRUTE_FORCE'))
    return `${block} where ${service === '' ? 'logins' : service} can be reached, and look for logins from it that succeeded.`;
  return `${block}, and search your logs for it.`;
}

function onSuspicion({ record, role, service, isShared, verdict }: Advised): string {
  const { categories } = record.indicator;
  const hostile = categories.filter(isHostile);
  if (hostile.length === 0 && !categories.includes('SCANNER'))
    return 'Whoever uses it hides behind it, so judge what comes from it by what it does.';
  if (hostile.length === 0)
    return service === ''
      ? 'A scan alone harms nothing: watch what it does next.'
      : `A scan alone harms nothing: make sure that ${service} of yours can not be reached from the Internet.`;
  if (isShared) return 'Many share it, so block what it does and not all of it.';
  if (role === 'means' && record.evidence.behaviours.join() === 'mention:url')
    return 'Nothing is known to have come from it: check whether a machine of yours loaded it.';
  if (hostile.join() === 'BRUTE_FORCE')
    return 'One failed login proves little: look for more of them in your own logs.';
  if (verdict.hostileScore < record.indicator.confidenceScore)
    return 'Only sources of little weight call it hostile, so look for it in your own logs before you block it.';
  if (hostile.join() === 'MALWARE' && record.evidence.behaviours.includes('alert:adware'))
    return 'Adware is a nuisance more than a danger: find out which machine has it.';
  if (hostile.includes('COMMAND_AND_CONTROL') || hostile.includes('MALWARE'))
    return 'If that is right, a machine that contacted it is infected: find it in your logs before you block.';
  if (hostile.includes('EXPLOIT'))
    return `Check how ${service === '' ? 'the machine' : service} answered: an attempt is not yet a success.`;
  return `Look for it in your own logs before you block it: ${listed(hostile.map(inWords))} is not proven.`;
}

function onTooLittle({ record }: Advised): string {
  const { behaviours } = record.evidence;
  if (behaviours.some((code) => code.startsWith('mention:')))
    return 'Anybody can type anything, so do not block it for this alone.';
  if (behaviours.some((code) => code.startsWith('alert:')))
    return 'Such a rule often matches harmless traffic, so do not block it for this alone.';
  if (behaviours.length > 0)
    return 'The sender of such packets can be forged, so do not block it for this alone.';
  return 'No more is known, which is too little to block it.';
}

function inWords(category: string): string {
  return category.toLowerCase().replaceAll('_', ' ');
}
