// Classes of Suricata rules. The classification of a rule decides, together with the group at the start of its name
// (`ET SCAN …`). Rules about the network's own users or the health of protocols are no threat.

/** The values of the evidence key `alert.kind`. */
export type AlertKind =
  | 'scan'
  | 'brute-force'
  | 'exploit'
  | 'denial-of-service'
  | 'malware'
  | 'adware'
  | 'command-and-control'
  | 'phishing'
  | 'proxy'
  | 'tor-exit'
  | 'listed';

export interface AlertClass {
  readonly kind: AlertKind;
  /** True if a host inside calls out. The threat is then the destination. */
  readonly callsOut?: true;
  /** The kind if the outside end is the client. It then attacks a server inside. */
  readonly asClient?: AlertKind;
}

const SCAN: AlertClass = { kind: 'scan' };
const BRUTE_FORCE: AlertClass = { kind: 'brute-force' };
const EXPLOIT: AlertClass = { kind: 'exploit' };
/** The packet is the answer of the victim. */
const EXPLOITED: AlertClass = { kind: 'exploit', callsOut: true };
const DENIAL: AlertClass = { kind: 'denial-of-service' };
const TROJAN: AlertClass = { kind: 'command-and-control', callsOut: true, asClient: 'exploit' };
const CONTROL: AlertClass = { kind: 'command-and-control', callsOut: true };
const MALWARE: AlertClass = { kind: 'malware', callsOut: true };
const ADWARE: AlertClass = { kind: 'adware', callsOut: true };
const PHISHING: AlertClass = { kind: 'phishing', callsOut: true };
const LISTED: AlertClass = { kind: 'listed' };

/** By the description of the classification (classification.config), in lower case. */
const CLASSES: ReadonlyMap<string, AlertClass> = new Map([
  ['attempted information leak', SCAN],
  ['information leak', SCAN],
  ['large scale information leak', SCAN],
  ['detection of a network scan', SCAN],
  ['decode of an rpc query', SCAN],
  ['access to a potentially vulnerable web application', SCAN],
  ['an attempted login using a suspicious username was detected', BRUTE_FORCE],
  ['attempt to login by a default username and password', BRUTE_FORCE],
  ['web application attack', EXPLOIT],
  ['attempted user privilege gain', EXPLOIT],
  ['unsuccessful user privilege gain', EXPLOIT],
  ['attempted administrator privilege gain', EXPLOIT],
  ['executable code was detected', EXPLOIT],
  ['a system call was detected', EXPLOIT],
  ['misc attack', EXPLOIT],
  ['successful user privilege gain', EXPLOITED],
  ['successful administrator privilege gain', EXPLOITED],
  ['attempted denial of service', DENIAL],
  ['denial of service', DENIAL],
  ['detection of a denial of service attack', DENIAL],
  ['a network trojan was detected', TROJAN],
  ['malware command and control activity detected', CONTROL],
  ['domain observed used for c2 detected', CONTROL],
  ['targeted malicious activity was detected', CONTROL],
  ['exploit kit activity detected', MALWARE],
  ['crypto currency mining activity detected', MALWARE],
  ['successful credential theft detected', PHISHING],
  ['possible social engineering attempted', PHISHING],
]);

/** Classifications that are too vague. The group decides then. */
const VAGUE: ReadonlySet<string> = new Set(['', 'potentially bad traffic', 'misc activity', 'misc attack']);

const GROUPS: ReadonlyMap<string, AlertClass> = new Map([
  ['SCAN', SCAN],
  ['WEB_SERVER', EXPLOIT],
  ['WEB_SPECIFIC_APPS', EXPLOIT],
  ['EXPLOIT', EXPLOIT],
  ['SHELLCODE', EXPLOIT],
  ['ATTACK_RESPONSE', EXPLOITED],
  ['TROJAN', TROJAN],
  ['MALWARE', TROJAN],
  ['CNC', CONTROL],
]);

/** Groups whose rules are lists of addresses. */
const LISTS: ReadonlySet<string> = new Set(['DROP', 'CINS', 'COMPROMISED', '3CORESEC', 'DSHIELD', 'RBN']);

/** Groups about the network's own users, whatever their classification. */
const CONDUCT: ReadonlySet<string> = new Set(['POLICY', 'INFO', 'CHAT', 'P2P', 'GAMES', 'INAPPROPRIATE']);

/** Unwanted software that its vendor distributes openly. It calls home, and nobody controls a machine with it. */
const UNWANTED = /\b(?:adware|adware_pup|pua|pup|opencandy|spyware related user-agent)\b/i;

const GROUP = /^(?:ET|ETPRO|GPL) (\w{1,32})/;

/** Undefined when the rule is not about a threat. */
export function alertClass(category: string, signature: string): AlertClass | undefined {
  const group = GROUP.exec(signature)?.[1]?.toUpperCase() ?? '';
  if (CONDUCT.has(group)) return undefined;
  if (LISTS.has(group)) return LISTED;
  if (group === 'TOR')
    return { kind: /exit node/i.test(signature) && !/not exit/i.test(signature) ? 'tor-exit' : 'proxy' };
  if (UNWANTED.test(signature)) return ADWARE;
  const description = category.toLowerCase();
  return VAGUE.has(description) ? (GROUPS.get(group) ?? CLASSES.get(description)) : CLASSES.get(description);
}
