// Names and tactics of the ATT&CK techniques that the rules of the service use, by ids of release 19.

/** The columns of the matrix for industrial control systems, in its order. */
export const ICS_TACTICS = [
  'Initial Access',
  'Execution',
  'Persistence',
  'Privilege Escalation',
  'Evasion',
  'Discovery',
  'Lateral Movement',
  'Collection',
  'Command and Control',
  'Inhibit Response Function',
  'Impair Process Control',
  'Impact',
] as const;

interface Named {
  readonly name: string;
  readonly tactics: readonly string[];
}

/** Techniques of the matrix for industrial control systems. */
export const ICS_TECHNIQUES: Readonly<Record<string, Named>> = {
  T0801: { name: 'Monitor Process State', tactics: ['Collection'] },
  T0809: { name: 'Data Destruction', tactics: ['Inhibit Response Function'] },
  T0814: { name: 'Denial of Service', tactics: ['Inhibit Response Function'] },
  T0816: { name: 'Device Restart/Shutdown', tactics: ['Inhibit Response Function'] },
  T0819: { name: 'Exploit Public-Facing Application', tactics: ['Initial Access'] },
  T0836: { name: 'Modify Parameter', tactics: ['Impair Process Control'] },
  T0838: { name: 'Modify Alarm Settings', tactics: ['Inhibit Response Function'] },
  T0843: { name: 'Program Download', tactics: ['Lateral Movement'] },
  T0845: { name: 'Program Upload', tactics: ['Collection'] },
  T0846: { name: 'Remote System Discovery', tactics: ['Discovery'] },
  T0858: { name: 'Change Operating Mode', tactics: ['Execution', 'Evasion'] },
  T0859: { name: 'Valid Accounts', tactics: ['Persistence', 'Lateral Movement'] },
  T0861: { name: 'Point & Tag Identification', tactics: ['Collection'] },
  T0878: { name: 'Alarm Suppression', tactics: ['Inhibit Response Function'] },
  T0881: { name: 'Service Stop', tactics: ['Inhibit Response Function'] },
  T0886: { name: 'Remote Services', tactics: ['Initial Access', 'Lateral Movement'] },
  T0888: { name: 'Remote System Information Discovery', tactics: ['Discovery'] },
  T0889: { name: 'Modify Program', tactics: ['Persistence'] },
  'T1691.002': { name: 'Block OT Message: Reporting Message', tactics: ['Inhibit Response Function'] },
  'T1692.001': { name: 'Unauthorized Message: Command Message', tactics: ['Impair Process Control'] },
  'T1693.001': {
    name: 'Modify Firmware: System Firmware',
    tactics: ['Persistence', 'Inhibit Response Function'],
  },
  'T1694.001': { name: 'Insecure Credentials: Default Credentials', tactics: ['Lateral Movement'] },
};

/** Techniques of the matrix for enterprises. */
export const ENTERPRISE_TECHNIQUES: Readonly<Record<string, Named>> = {
  'T1053.003': { name: 'Scheduled Task/Job: Cron', tactics: ['Persistence'] },
  'T1059.004': { name: 'Command and Scripting Interpreter: Unix Shell', tactics: ['Execution'] },
  'T1070.003': { name: 'Indicator Removal: Clear Command History', tactics: ['Defense Evasion'] },
  T1071: { name: 'Application Layer Protocol', tactics: ['Command and Control'] },
  T1078: { name: 'Valid Accounts', tactics: ['Initial Access'] },
  'T1078.001': { name: 'Valid Accounts: Default Accounts', tactics: ['Initial Access'] },
  T1082: { name: 'System Information Discovery', tactics: ['Discovery'] },
  T1090: { name: 'Proxy', tactics: ['Command and Control'] },
  'T1090.003': { name: 'Proxy: Multi-hop Proxy', tactics: ['Command and Control'] },
  'T1098.004': { name: 'Account Manipulation: SSH Authorized Keys', tactics: ['Persistence'] },
  T1105: { name: 'Ingress Tool Transfer', tactics: ['Command and Control'] },
  T1110: { name: 'Brute Force', tactics: ['Credential Access'] },
  'T1110.001': { name: 'Brute Force: Password Guessing', tactics: ['Credential Access'] },
  T1190: { name: 'Exploit Public-Facing Application', tactics: ['Initial Access'] },
  'T1222.002': { name: 'File and Directory Permissions Modification', tactics: ['Defense Evasion'] },
  'T1496.001': { name: 'Resource Hijacking: Compute Hijacking', tactics: ['Impact'] },
  'T1562.004': { name: 'Impair Defenses: Disable or Modify System Firewall', tactics: ['Defense Evasion'] },
  T1566: { name: 'Phishing', tactics: ['Initial Access'] },
  'T1595.001': { name: 'Active Scanning: Scanning IP Blocks', tactics: ['Reconnaissance'] },
  'T1595.002': { name: 'Active Scanning: Vulnerability Scanning', tactics: ['Reconnaissance'] },
  'T1602.001': { name: 'Data from Configuration Repository: SNMP', tactics: ['Collection'] },
  T1609: { name: 'Container Administration Command', tactics: ['Execution'] },
  T1610: { name: 'Deploy Container', tactics: ['Execution'] },
};
