// Organisations that scan the whole Internet, and how their addresses are recognised: by the ranges that they publish, or
// by the domain of their reverse names. Facts written for the project from general knowledge. None was compared with its
// source on the day that `date` gives, so ranges may have changed since. A name is safer: it counts only if it leads back
// to the address, which nobody but the owner of the domain can arrange.
//
// `source` says where the organisation tells about its scans. Organisations that scan from rented addresses publish no
// ranges. Those without a domain of their own for reverse names can not be recognised at all.

export interface ScannerRow {
  readonly name: string;
  readonly source: string;
  /** When the row was written, YYYY-MM-DD. */
  readonly date: string;
  /** Addresses and ranges, separated by blanks. Empty if none are published, as far as is known. */
  readonly ranges: string;
  /** Domains of reverse names, separated by blanks. Names below them count. */
  readonly domains: string;
}

const DATE = '2026-11-22';

function row(name: string, source: string, domains: string, ...ranges: string[]): ScannerRow {
  return { name, source, date: DATE, ranges: ranges.join(' '), domains };
}

export const RESEARCH_SCANNERS: readonly ScannerRow[] = [
  row(
    'Censys',
    'docs.censys.com',
    'censys-scanner.com',
    '162.142.125.0/24 167.94.138.0/24 167.94.145.0/24 167.94.146.0/24 167.248.133.0/24',
    '199.45.154.0/24 199.45.155.0/24 206.168.32.0/22 66.132.159.0/24 2620:96:e000::/48',
  ),
  row(
    'Shodan',
    'www.shodan.io',
    'shodan.io',
    '66.240.192.138 66.240.219.146 66.240.236.119 71.6.135.131 71.6.146.185 71.6.146.186 71.6.158.166',
    '71.6.165.200 71.6.167.142 82.221.105.6 82.221.105.7 85.25.43.94 93.120.27.62 188.138.9.50 198.20.69.72/29',
    '198.20.69.96/29 198.20.70.112/29 198.20.87.96/29 198.20.99.128/29',
  ),
  row(
    'Shadowserver',
    'www.shadowserver.org',
    'shadowserver.org',
    '64.62.202.96/27 66.220.23.112/29 74.82.47.0/26 184.105.139.64/26 184.105.143.128/26 184.105.247.192/26',
    '216.218.206.64/26 64.62.156.0/24 64.62.197.0/24 65.49.1.0/24 65.49.20.64/26',
  ),
  row(
    'Palo Alto Networks Xpanse',
    'docs-cortex.paloaltonetworks.com',
    'expanseinc.com',
    '144.86.173.0/24 147.185.132.0/23 162.216.149.0/24 162.216.150.0/24 198.235.24.0/24 205.210.31.0/24',
    '35.203.210.0/23',
  ),
  row(
    'Rapid7 Sonar',
    'opendata.rapid7.com',
    'labs.rapid7.com',
    '5.63.151.96/27 71.6.233.0/24 88.202.190.128/27 109.123.117.224/27 146.185.25.160/27',
  ),
  row(
    'Internet Measurement',
    'internet-measurement.com',
    'internet-measurement.com driftnet.io',
    '87.236.176.0/24 193.163.125.0/24',
  ),
  row('ONYPHE', 'www.onyphe.io', 'onyphe.net onyphe.io', '91.196.152.0/24 91.230.168.0/24 91.231.89.0/24'),
  row('BinaryEdge', 'www.binaryedge.io', 'binaryedge.ninja'),
  row('Stretchoid', 'stretchoid.com', 'stretchoid.com'),
  row('LeakIX', 'leakix.net', 'leakix.org leakix.net'),
  row('ZoomEye', 'www.zoomeye.org', 'zoomeye.org'),
  row('FOFA', 'fofa.info', 'fofa.info'),
  row('Criminal IP', 'www.criminalip.io', 'criminalip.com criminalip.io'),
  row('Internet Census Group', 'www.internet-census.org', 'internet-census.org'),
  row(
    'UK National Cyber Security Centre',
    'www.ncsc.gov.uk',
    'scanning.service.ncsc.gov.uk',
    '18.171.7.246 35.177.10.231',
  ),
  row('NETSCOUT Arbor', 'www.arbor-observatory.com', 'arbor-observatory.com'),
  row('Alpha Strike Labs', 'www.alphastrike.io', 'alphastrike.io'),
  row('Open Port Statistics', 'www.openportstats.com', 'openportstats.com'),
  row('Modat', 'www.modat.io', 'modat.io'),
  row(
    'Stanford Empirical Security Research Group',
    'esrg.stanford.edu',
    'esrg.stanford.edu',
    '171.67.70.0/23',
  ),
  row('CAIDA', 'www.caida.org', 'caida.org'),
];

const SCANNER_BY_DOMAIN: ReadonlyMap<string, string> = new Map(
  RESEARCH_SCANNERS.flatMap(({ name, domains }) => domains.split(' ').map((domain) => [domain, name])),
);

/** The scanner whose domain a host name is below. The name proves nothing until it leads back to the address. */
export function scannerOfName(host: string): string | undefined {
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const name = SCANNER_BY_DOMAIN.get(host.slice(dot + 1));
    if (name !== undefined) return name;
  }
  return undefined;
}
