// All rules, in the order of their tests. Rules about all answers together come last.

import type { Rule } from './rule.ts';
import { addedAfterRules } from './rules/added-after.ts';
import { answerRules } from './rules/answers.ts';
import { collectionRules } from './rules/collections.ts';
import { credentialRules } from './rules/credentials.ts';
import { discoveryRules } from './rules/discovery.ts';
import { manifestRules } from './rules/manifest.ts';
import { matchRules } from './rules/match.ts';
import { negotiationRules } from './rules/negotiation.ts';
import { objectsRules } from './rules/objects.ts';
import { oneObjectRules } from './rules/one-object.ts';
import { pagingRules } from './rules/paging.ts';
import { parameterRules } from './rules/parameters.ts';
import { readOnlyRules } from './rules/read-only.ts';
import { stixRules } from './rules/stix.ts';
import { transportRules } from './rules/transport.ts';
import { writingRules } from './rules/writing.ts';

export const CHECKLIST: readonly Rule[] = [
  ...transportRules,
  ...negotiationRules,
  ...credentialRules,
  ...discoveryRules,
  ...collectionRules,
  ...objectsRules,
  ...manifestRules,
  ...oneObjectRules,
  ...addedAfterRules,
  ...pagingRules,
  ...matchRules,
  ...parameterRules,
  ...readOnlyRules,
  ...writingRules,
  ...stixRules,
  ...answerRules,
];
