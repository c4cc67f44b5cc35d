// Which words of others name one of our categories.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THREAT_CATEGORIES } from '../../domain/vocabulary.ts';
import { categoriesOf, termsOf } from './stix-vocabulary.ts';

test('every category is read back from the term that we write for it', () => {
  for (const category of THREAT_CATEGORIES.slice(1)) {
    assert.deepEqual(categoriesOf(termsOf([category]), []), [category]);
  }
});

test('labels name categories in the usual spellings, each once, in the order of the vocabulary', () => {
  const spellings = [
    ['MALWARE', 'Malware', 'ransomware', 'Trojan', 'RAT', 'Info Stealer', 'remote_access_trojan'],
    ['PHISHING', 'PHISHING', ' phishing ', 'Spear Phishing'],
    ['COMMAND_AND_CONTROL', 'C2', 'C&C', 'Command_and_Control', 'command & control', 'cnc'],
    ['BOTNET', 'Botnet'],
    ['SCANNER', 'scanning', 'port scan'],
    ['BRUTE_FORCE', 'brute force', 'bruteforce', 'Brute-Force'],
    ['TOR_EXIT_NODE', 'tor exit node', 'Tor-Exit'],
    ['PROXY', 'proxy', 'TOR'],
  ];
  for (const [category, ...labels] of spellings) {
    for (const label of labels) assert.deepEqual(categoriesOf([label], []), [category], label);
  }
  assert.deepEqual(categoriesOf(['c2', 'ransomware', 'trojan', 'plc'], []), [
    'MALWARE',
    'COMMAND_AND_CONTROL',
  ]);
});

test('what names no category of ours, or only holds such a name, is passed over', () => {
  const labels = [
    '',
    'malicious-activity',
    'unspecified',
    'anti-malware',
    'phishing:no',
    'rat-poison',
    'misp:category="Network activity"',
    'constructor',
    '__proto__',
  ];
  assert.deepEqual(categoriesOf(labels, ['malicious-activity', 'anomalous-activity', 'unknown']), []);
});

test('anonymization is a proxy, unless a label says that it is an exit of Tor', () => {
  assert.deepEqual(categoriesOf([], ['anonymization']), ['PROXY']);
  assert.deepEqual(categoriesOf(['proxy'], ['anonymization', 'anonymization']), ['PROXY']);
  assert.deepEqual(categoriesOf(['tor-exit-node'], ['malicious-activity', 'anonymization']), [
    'TOR_EXIT_NODE',
  ]);
});
