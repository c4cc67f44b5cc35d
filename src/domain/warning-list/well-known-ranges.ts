// Addresses and ranges that the operators of resolvers, time, mail, search and delivery services publish for them. Facts
// written for the project from general knowledge, as in well-known-names.ts.

export interface RangeRow {
  readonly purpose: 'resolver' | 'time' | 'mail' | 'search' | 'delivery';
  readonly source: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Addresses and ranges, separated by blanks. */
  readonly ranges: string;
}

const DATE = '2026-11-22';

function row(purpose: RangeRow['purpose'], source: string, ranges: string): RangeRow {
  return { purpose, source, date: DATE, ranges };
}

export const WELL_KNOWN_RANGES: readonly RangeRow[] = [
  row(
    'resolver',
    'developers.google.com/speed/public-dns',
    '8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844',
  ),
  row('resolver', 'one.one.one.one', '1.1.1.1 1.0.0.1 1.1.1.2 1.0.0.2 1.1.1.3 1.0.0.3'),
  row('resolver', 'one.one.one.one', '2606:4700:4700::1111 2606:4700:4700::1001'),
  row('resolver', 'www.quad9.net', '9.9.9.9 9.9.9.10 9.9.9.11 149.112.112.112 149.112.112.10 149.112.112.11'),
  row('resolver', 'www.quad9.net', '2620:fe::fe 2620:fe::9'),
  row('resolver', 'www.opendns.com', '208.67.222.222 208.67.220.220 2620:119:35::35 2620:119:53::53'),
  row('resolver', 'adguard-dns.io', '94.140.14.14 94.140.15.15'),
  row('resolver', 'cleanbrowsing.org', '185.228.168.168 185.228.169.168 185.228.168.9 185.228.169.9'),
  row('resolver', 'www.verisign.com', '64.6.64.6 64.6.65.6'),
  row('resolver', 'www.lumen.com', '4.2.2.1 4.2.2.2 4.2.2.3 4.2.2.4 4.2.2.5 4.2.2.6'),
  row('resolver', 'dns.yandex.com', '77.88.8.8 77.88.8.1 77.88.8.88 77.88.8.2'),
  row('resolver', 'www.alidns.com', '223.5.5.5 223.6.6.6'),
  row('resolver', 'www.114dns.com', '114.114.114.114 114.114.115.115'),
  row('resolver', 'www.dnspod.cn', '119.29.29.29'),
  row('resolver', 'dns.he.net', '74.82.42.42'),
  row(
    'resolver',
    'www.iana.org/domains/root/servers',
    '198.41.0.4 170.247.170.2 192.33.4.12 199.7.91.13 192.203.230.10',
  ),
  row(
    'resolver',
    'www.iana.org/domains/root/servers',
    '192.5.5.241 192.112.36.4 198.97.190.53 192.36.148.17',
  ),
  row('resolver', 'www.iana.org/domains/root/servers', '192.58.128.30 193.0.14.129 199.7.83.42 202.12.27.33'),
  row(
    'resolver',
    'www.iana.org/domains/root/servers',
    '2001:503:ba3e::2:30 2001:500:2::c 2001:500:2d::d 2001:500:a8::e',
  ),
  row(
    'resolver',
    'www.iana.org/domains/root/servers',
    '2001:500:2f::f 2001:500:12::d0d 2001:500:1::53 2001:7fe::53',
  ),
  row(
    'resolver',
    'www.iana.org/domains/root/servers',
    '2001:503:c27::2:30 2001:7fd::1 2001:500:9f::42 2001:dc3::35',
  ),

  row('time', 'developers.google.com/time', '216.239.35.0 216.239.35.4 216.239.35.8 216.239.35.12'),
  row('time', 'www.cloudflare.com/time', '162.159.200.1 162.159.200.123'),
  row('time', 'tf.nist.gov', '129.6.15.28 129.6.15.29 129.6.15.30 132.163.96.1 132.163.96.2 132.163.96.3'),
  row('time', 'www.ptb.de', '192.53.103.103 192.53.103.104 192.53.103.108'),

  row(
    'mail',
    'support.google.com (_netblocks.google.com)',
    '64.233.160.0/19 66.102.0.0/20 66.249.80.0/20 72.14.192.0/18',
  ),
  row(
    'mail',
    'support.google.com (_netblocks.google.com)',
    '74.125.0.0/16 173.194.0.0/16 209.85.128.0/17 216.58.192.0/19',
  ),
  row(
    'mail',
    'support.google.com (_netblocks2.google.com)',
    '2404:6800:4000::/36 2607:f8b0:4000::/36 2a00:1450:4000::/36',
  ),
  row(
    'mail',
    'learn.microsoft.com (spf.protection.outlook.com)',
    '40.92.0.0/15 40.107.0.0/16 52.100.0.0/15 104.47.0.0/17',
  ),

  row('search', 'developers.google.com (googlebot.json)', '66.249.64.0/20 2001:4860:4801::/48'),
  row('search', 'www.bing.com (bingbot.json)', '157.55.39.0/24 207.46.13.0/24 40.77.167.0/24'),

  row(
    'delivery',
    'www.cloudflare.com/ips',
    '173.245.48.0/20 103.21.244.0/22 103.22.200.0/22 103.31.4.0/22 141.101.64.0/18',
  ),
  row(
    'delivery',
    'www.cloudflare.com/ips',
    '108.162.192.0/18 190.93.240.0/20 188.114.96.0/20 197.234.240.0/22',
  ),
  row(
    'delivery',
    'www.cloudflare.com/ips',
    '198.41.128.0/17 162.158.0.0/15 104.16.0.0/13 104.24.0.0/14 172.64.0.0/13',
  ),
  row(
    'delivery',
    'www.cloudflare.com/ips',
    '131.0.72.0/22 2400:cb00::/32 2606:4700::/32 2803:f800::/32 2405:b500::/32',
  ),
  row('delivery', 'www.cloudflare.com/ips', '2405:8100::/32 2a06:98c0::/29 2c0f:f248::/32'),
  row(
    'delivery',
    'api.fastly.com/public-ip-list',
    '23.235.32.0/20 43.249.72.0/22 103.244.50.0/24 103.245.222.0/23',
  ),
  row(
    'delivery',
    'api.fastly.com/public-ip-list',
    '104.156.80.0/20 140.248.64.0/18 140.248.128.0/17 146.75.0.0/17',
  ),
  row(
    'delivery',
    'api.fastly.com/public-ip-list',
    '151.101.0.0/16 157.52.64.0/18 167.82.0.0/17 172.111.64.0/18',
  ),
  row(
    'delivery',
    'api.fastly.com/public-ip-list',
    '185.31.16.0/22 199.27.72.0/21 199.232.0.0/16 2a04:4e40::/32',
  ),
  row('delivery', 'api.fastly.com/public-ip-list', '2a04:4e42::/32'),
];
