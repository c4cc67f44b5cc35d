// Organisations that scan the whole Internet and publish from which addresses. Facts written for the project from general
// knowledge. `source` says where the organisation publishes them, `date` when the row was written. Organisations that
// scan from rented addresses of clouds, such as Stretchoid or LeakIX, publish no ranges of their own and are not here.

export interface ScannerRow {
  readonly name: string;
  readonly source: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Addresses and ranges, separated by blanks. */
  readonly ranges: string;
}

const DATE = '2026-11-22';

function row(name: string, source: string, ...ranges: string[]): ScannerRow {
  return { name, source, date: DATE, ranges: ranges.join(' ') };
}

export const RESEARCH_SCANNERS: readonly ScannerRow[] = [
  row(
    'Censys',
    'docs.censys.com',
    '162.142.125.0/24 167.94.138.0/24 167.94.145.0/24 167.94.146.0/24 167.248.133.0/24',
    '199.45.154.0/24 199.45.155.0/24 206.168.32.0/22 66.132.159.0/24 2620:96:e000::/48',
  ),
  row(
    'Shodan',
    'www.shodan.io',
    '66.240.192.138 66.240.219.146 66.240.236.119 71.6.135.131 71.6.146.185 71.6.146.186 71.6.158.166',
    '71.6.165.200 71.6.167.142 82.221.105.6 82.221.105.7 85.25.43.94 93.120.27.62 188.138.9.50 198.20.69.72/29',
    '198.20.69.96/29 198.20.70.112/29 198.20.87.96/29 198.20.99.128/29',
  ),
  row(
    'Shadowserver',
    'www.shadowserver.org',
    '64.62.202.96/27 66.220.23.112/29 74.82.47.0/26 184.105.139.64/26 184.105.143.128/26 184.105.247.192/26',
    '216.218.206.64/26',
  ),
  row(
    'Palo Alto Networks Xpanse',
    'docs-cortex.paloaltonetworks.com',
    '144.86.173.0/24 147.185.132.0/23 162.216.149.0/24 162.216.150.0/24 198.235.24.0/24 205.210.31.0/24',
    '35.203.210.0/23',
  ),
  row(
    'Rapid7 Sonar',
    'opendata.rapid7.com',
    '5.63.151.96/27 71.6.233.0/24 88.202.190.128/27 109.123.117.224/27 146.185.25.160/27',
  ),
  row('Internet Measurement', 'internet-measurement.com', '87.236.176.0/24 193.163.125.0/24'),
  row('ONYPHE', 'www.onyphe.io', '91.196.152.0/24 91.230.168.0/24 91.231.89.0/24'),
];
