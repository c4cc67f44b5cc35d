// Rules about senseless parameters (TAXII 2.1 §3.4).

import { must, type Rule, should } from '../rule.ts';

const MALFORMED = [
  'limit=0',
  'limit=-1',
  'limit=1.5',
  'limit=many',
  'limit=',
  'added_after=yesterday',
  'added_after=2026-02-30T00:00:00.000000Z',
  'match[version]=newest',
  'match[version]=all,last',
];

const REPEATED = [
  'limit=1&limit=2',
  'added_after=2020-01-01T00:00:00.000000Z&added_after=2021-01-01T00:00:00.000000Z',
  'match[type]=indicator&match[type]=malware',
];

export const parameterRules: readonly Rule[] = [
  ...MALFORMED.map((query) =>
    must('3.4', `parameters: ${query} is 400`, async (survey) => {
      (await survey.http.send(`${survey.paths().objects}?${query}`)).expect(400);
    }),
  ),

  must('3.4', 'parameters: what is malformed is 400 for the manifest too', async (survey) => {
    for (const query of ['limit=0', 'added_after=yesterday', 'match[version]=newest'])
      (await survey.http.send(`${survey.paths().manifest}?${query}`)).expect(400);
  }),

  // The standard forbids this to clients. The OASIS interoperability tests (3.13.1.10) expect servers to refuse it.
  ...REPEATED.map((query) =>
    should('3.4', `parameters: ${query.replace(/=.*/, '')} given twice is 400`, async (survey) => {
      (await survey.http.send(`${survey.paths().objects}?${query}`)).expect(400);
    }),
  ),
];
