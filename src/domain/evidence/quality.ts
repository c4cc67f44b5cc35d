// The scale of evidence quality: how sure an observation makes us of its categories, given that its source reports
// truthfully. Trust in the source is another factor (its reliability), and repetition raises the quality (see
// score/corroboration.ts).

/**
 * Evidence up to this quality proves nothing about the indicator itself: anybody can forge the sender of a lone packet,
 * anybody can type a name, and a rule of low priority matches harmless traffic. Repetition never lifts it above this
 * bound, and without better evidence the score is at most 40.
 */
export const UNPROVEN = 0.44;

/** A host that an attacker named in a command. */
export const NAMED_HOST = 0.3;
/** A URL that an attacker named in a command. Nothing is known to have come from it. */
export const NAMED_URL = 0.4;
/** A packet without a dialogue, such as a SYN. */
export const PACKET = 0.28;
/** The share of its quality that a request keeps if its sender may be forged. */
export const FORGEABLE_SHARE = 0.4;

/** A completed handshake. The address is real, and it had no reason to come to a sensor. */
export const CONNECTION = 0.78;
/** A complete request of a known protocol, whose function has no name here. */
export const UNNAMED_REQUEST = 0.785;
/** A complete request of a known protocol. */
export const REQUEST = 0.8;
/** A request inside a session that both sides negotiated first, as S7 and OPC UA do. */
export const NEGOTIATED = 0.82;
/** Reading process values takes knowledge of the device. */
export const READ = 0.83;
/** Guessed again and again. */
export const PERSISTENT = 0.85;
/** A write, a login or an exploit has no honest reason on a sensor. */
export const HOSTILE = 0.88;
export const CONTROL = 0.9;
export const PROGRAM = 0.92;
/** A captured file can be examined again. */
export const CAPTURED = 0.97;

/** An entry of a list, or a report without a sensor. Little is added to the reliability of its source. */
export const LISTED = 0.9;
/** A sensor says so, and does not say what it saw. */
export const UNSUPPORTED = 0.8;

/** A detection rule matched, with the priority that its author gave it (`PRIORITY_SHARES`). */
export const RULE_LISTED = 0.5;
export const RULE_SCAN = 0.55;
export const RULE_ATTACK = 0.65;
export const RULE_MALWARE = 0.7;

/** The share of its quality that a matched rule keeps. Rules of low priority often match harmless traffic. */
export const PRIORITY_SHARES = {
  UNSPECIFIED: 0.92,
  INFO: 0.76,
  LOW: 0.84,
  MEDIUM: 0.92,
  HIGH: 1,
  CRITICAL: 1,
} as const;
