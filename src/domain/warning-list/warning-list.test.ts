import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIST_EFFECTS, type Standing, standingOf, standingUnder, typesOf } from './warning-list.ts';

test('what a list says is told by its name', () => {
  const names: Readonly<Record<Standing, readonly string[]>> = {
    known: [
      'List of known IPv4 public DNS resolvers',
      'built-in public resolvers',
      'List of RFC 1918 CIDR blocks',
      'List of IPv6 link local blocks',
      'Top 1000 websites from Cisco Umbrella',
      'Top 500 domains and pages',
      'List of known hashes for empty files',
      'Hashes that are often included in IOC lists but are false positives.',
    ],
    shared: [
      'Top 20,000 domains from Cloudflare Radar',
      'Top 10 000 websites from Cisco Umbrella',
      'Top 10K most-used sites from Tranco',
      'List of known Amazon AWS IP address ranges',
      'List of known GCP (Google Cloud Platform) IP address ranges',
      'List of known Cloudflare IP ranges',
      'List of known Stackpath CDN IP ranges',
      'List of known dynamic DNS domains',
      'List of known URL Shorteners domains',
      'Specialized list of vpn-ipv4 addresses belonging to common VPN providers and datacenters',
      'TLDs as known by IANA',
    ],
    scanner: [
      'Censys IP Ranges Used for Scanning',
      'Shodan IP-Ranges, pot. used for Scanning',
      'Shadowserver IP-Ranges',
      'List of known Tenable Cloud Sensors IPv4',
      'List of published IP address ranges for Onyphe Scanner',
    ],
    noted: [
      'Top 1,000,000 most-used sites from Tranco',
      'Top 100K domains from Cloudflare Radar',
      'List of disposable email domains',
      'Parking domains',
      'List of known bank domains',
      'Rooftop 10 bars',
    ],
  };
  for (const [standing, list] of Object.entries(names)) {
    for (const name of list) assert.equal(standingOf({ name, id: 'x' }), standing, name);
  }
  assert.equal(standingOf({ name: 'Example Labs', id: 'example-scanning' }), 'scanner', 'by its folder');
});

test('a list weighs less on what only has to do with an entry', () => {
  assert.equal(standingUnder('known', 'itself'), 'known');
  assert.equal(standingUnder('known', 'below'), 'known', 'names below belong to the owner');
  assert.equal(standingUnder('known', 'page'), 'shared');
  assert.equal(standingUnder('known', 'around'), 'shared');
  assert.equal(standingUnder('shared', 'itself'), 'shared');
  assert.equal(standingUnder('shared', 'below'), 'noted', 'names below belong to strangers');
  assert.equal(standingUnder('shared', 'page'), 'noted');
  assert.equal(standingUnder('scanner', 'around'), 'noted');
  assert.equal(standingUnder('noted', 'itself'), 'noted');
});

test('the types a list is about', () => {
  const types = (...attributes: string[]) => [...typesOf({ attributes })];
  assert.deepEqual(types('ip-src', 'ip-dst|port'), ['IPV4', 'IPV6', 'CIDR']);
  assert.deepEqual(types('hostname', 'url'), ['DOMAIN', 'URL']);
  assert.deepEqual(types('filename|sha256', 'ssdeep'), ['FILE_HASH_SHA256']);
  assert.deepEqual(types('whois-registrant-email', 'email-src'), ['EMAIL']);
  assert.deepEqual(types('ja3-fingerprint-md5', 'x509-fingerprint-sha1'), ['JA3', 'SSL_CERT_FINGERPRINT']);
  assert.equal(types().includes('DOMAIN'), true, 'all, when it names none');
});

test('the effects published in the documentation', () => {
  assert.equal(LIST_EFFECTS.known.limit, 10);
  assert.deepEqual([LIST_EFFECTS.shared.limit, LIST_EFFECTS.shared.factor], [70, 0.7]);
  assert.deepEqual([LIST_EFFECTS.scanner.limit, LIST_EFFECTS.scanner.severity], [50, 'LOW']);
});
