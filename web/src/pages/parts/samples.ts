// What the page of parts shows.

import type { IndicatorType, Severity, TlpMarking, Verdict } from '../../api/contract.ts';

export const TLPS: readonly TlpMarking[] = [
  'TLP_MARKING_CLEAR',
  'TLP_MARKING_GREEN',
  'TLP_MARKING_AMBER',
  'TLP_MARKING_AMBER_STRICT',
  'TLP_MARKING_RED',
];

export const SEVERITIES: readonly Severity[] = [
  'SEVERITY_INFO',
  'SEVERITY_LOW',
  'SEVERITY_MEDIUM',
  'SEVERITY_HIGH',
  'SEVERITY_CRITICAL',
];

export const VERDICTS: readonly Verdict[] = [
  'VERDICT_MALICIOUS',
  'VERDICT_SUSPICIOUS',
  'VERDICT_SCANNER',
  'VERDICT_BENIGN',
  'VERDICT_UNKNOWN',
  'VERDICT_UNSPECIFIED',
];

export const VALUES: readonly (readonly [IndicatorType, string])[] = [
  ['INDICATOR_TYPE_IPV4', '198.51.100.7'],
  ['INDICATOR_TYPE_IPV6', '2001:db8::7'],
  ['INDICATOR_TYPE_DOMAIN', 'xn--80ak6aa92e.example.com'],
  ['INDICATOR_TYPE_URL', 'https://user@files.example.org/a.php?next=http://b.example.net/c'],
  ['INDICATOR_TYPE_EMAIL', 'billing@example.com'],
  ['INDICATOR_TYPE_URL', `http://example.org/${'a'.repeat(10_000)}`],
];

export const SAMPLES: readonly string[] = [
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
  'invoice\u202Efdp.exe \u2066isolated\u2069 zero\u200Bwidth \u0000\u001B[31m',
  'p\u0430ypal mixes Latin and Cyrillic',
  'العربية and עברית keep their own direction',
  'Z\u0351\u0352\u0353\u0354\u0355\u0356\u0357\u0358 piled marks',
  'x'.repeat(10_240),
];
