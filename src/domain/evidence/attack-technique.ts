// The MITRE ATT&CK techniques that the rules use: ids of release 19, and the id of release 18 where it differs. Release
// 19 (April 2026) turned nine ICS techniques into sub-techniques. The pairs are from MITRE's crosswalk.

export interface AttackTechnique {
  /** T1234 or T1234.567, of release 19. */
  readonly id: string;
  readonly name: string;
  readonly domain: 'ics' | 'enterprise';
  /** The id in release 18, if it differs. */
  readonly v18?: string;
}

export type AttackRelease = 18 | 19;

const ICS: readonly (readonly [id: string, name: string, v18?: string])[] = [
  ['T0801', 'Monitor Process State'],
  ['T0809', 'Data Destruction'],
  ['T0814', 'Denial of Service'],
  ['T0816', 'Device Restart/Shutdown'],
  ['T0819', 'Exploit Public-Facing Application'],
  ['T0836', 'Modify Parameter'],
  ['T0838', 'Modify Alarm Settings'],
  ['T0843', 'Program Download'],
  ['T0845', 'Program Upload'],
  ['T0846', 'Remote System Discovery'],
  ['T0858', 'Change Operating Mode'],
  ['T0859', 'Valid Accounts'],
  ['T0861', 'Point & Tag Identification'],
  ['T0878', 'Alarm Suppression'],
  ['T0881', 'Service Stop'],
  ['T0886', 'Remote Services'],
  ['T0888', 'Remote System Information Discovery'],
  ['T0889', 'Modify Program'],
  ['T1691.002', 'Block Operational Technology Message: Reporting Message', 'T0804'],
  ['T1692.001', 'Unauthorized Message: Command Message', 'T0855'],
  ['T1693.001', 'Modify Firmware: System Firmware', 'T0857'],
  ['T1694.001', 'Insecure Credentials: Default Credentials', 'T0812'],
];

const ENTERPRISE: readonly (readonly [id: string, name: string])[] = [
  ['T1053.003', 'Scheduled Task/Job: Cron'],
  ['T1059.004', 'Command and Scripting Interpreter: Unix Shell'],
  ['T1070.003', 'Indicator Removal: Clear Command History'],
  ['T1071', 'Application Layer Protocol'],
  ['T1078', 'Valid Accounts'],
  ['T1078.001', 'Valid Accounts: Default Accounts'],
  ['T1082', 'System Information Discovery'],
  ['T1090', 'Proxy'],
  ['T1090.003', 'Proxy: Multi-hop Proxy'],
  ['T1098.004', 'Account Manipulation: SSH Authorized Keys'],
  ['T1105', 'Ingress Tool Transfer'],
  ['T1110', 'Brute Force'],
  ['T1110.001', 'Brute Force: Password Guessing'],
  ['T1190', 'Exploit Public-Facing Application'],
  ['T1222.002', 'File and Directory Permissions Modification: Linux and Mac'],
  ['T1496.001', 'Resource Hijacking: Compute Hijacking'],
  ['T1562.004', 'Impair Defenses: Disable or Modify System Firewall'],
  ['T1566', 'Phishing'],
  ['T1595.001', 'Active Scanning: Scanning IP Blocks'],
  ['T1595.002', 'Active Scanning: Vulnerability Scanning'],
  ['T1602.001', 'Data from Configuration Repository: SNMP (MIB Dump)'],
  ['T1609', 'Container Administration Command'],
  ['T1610', 'Deploy Container'],
];

const TECHNIQUES: ReadonlyMap<string, AttackTechnique> = new Map([
  ...ICS.map(([id, name, v18]): [string, AttackTechnique] => [
    id,
    v18 === undefined ? { id, name, domain: 'ics' } : { id, name, domain: 'ics', v18 },
  ]),
  ...ENTERPRISE.map(([id, name]): [string, AttackTechnique] => [id, { id, name, domain: 'enterprise' }]),
]);

/** @param id of release 19; undefined for ids that no rule uses. */
export function attackTechnique(id: string): AttackTechnique | undefined {
  return TECHNIQUES.get(id);
}

/** All techniques that the rules use. */
export const ATTACK_TECHNIQUES: readonly AttackTechnique[] = [...TECHNIQUES.values()];

/**
 * The id of a technique in a release.
 * @param id of release 19.
 */
export function idInRelease(id: string, release: AttackRelease): string {
  return release === 18 ? (TECHNIQUES.get(id)?.v18 ?? id) : id;
}
