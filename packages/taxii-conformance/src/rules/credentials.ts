// Rules about credentials (TAXII 2.1 §1.6.9, §5, §8.2.2).

import type { Answer } from '../answer.ts';
import { lowerCaseOf, wrongOf } from '../credential.ts';
import type { RequestParts } from '../http-client.ts';
import { must, type Rule, should } from '../rule.ts';
import type { Survey } from '../survey.ts';
import { check, needed, Untested } from '../violation.ts';

export const credentialRules: readonly Rule[] = [
  must('5.1', 'credentials: without one, what is protected is 401 or 404', async (survey) => {
    for (const answer of await refusedWithout(survey)) answer.expect(401, 404);
  }),

  must('1.6.9', 'credentials: a 401 has a WWW-Authenticate header', async (survey) => {
    for (const answer of await unauthorized(survey)) {
      check(
        answer.header('www-authenticate') !== undefined,
        `${answer.request}: 401 without WWW-Authenticate`,
      );
    }
  }),

  // Every client supports Basic, and some support nothing else.
  should('8.2.2', 'credentials: Basic is among the challenges', async (survey) => {
    for (const answer of await unauthorized(survey)) {
      const challenges = answer.header('www-authenticate') ?? '';
      check(
        /(^|,)\s*basic\b/i.test(challenges),
        `${answer.request}: the challenge is ${challenges || 'missing'}`,
      );
    }
  }),

  must('5.1', 'credentials: a wrong one is 401 or 404', async (survey) => {
    await refusedWithout(survey);
    const wrong = needed(wrongOf(survey.http.credential), 'the credential is not an Authorization header');
    for (const answer of await visit(survey, { headers: wrong })) answer.expect(401, 404);
  }),

  should('RFC 9110 11.1', 'credentials: the name of the scheme is known in lower case', async (survey) => {
    await refusedWithout(survey);
    const lower = needed(
      lowerCaseOf(survey.http.credential),
      'the credential is not an Authorization header',
    );
    const [answer] = await visit(survey, { headers: lower });
    answer?.expect(200);
  }),
];

async function visit(survey: Survey, parts: RequestParts): Promise<readonly Answer[]> {
  const { http, root, collection } = survey;
  const answers = [await http.send(`${root}collections/`, parts)];
  if (collection !== undefined) {
    const { self, objects, manifest } = survey.paths();
    for (const path of [self, `${objects}?limit=1`, `${manifest}?limit=1`])
      answers.push(await http.send(path, parts));
  }
  return answers;
}

/**
 * The paths that do not answer 200 to a caller without a credential.
 * @throws Untested if no path needs a credential.
 */
async function refusedWithout(survey: Survey): Promise<readonly Answer[]> {
  if (Object.keys(survey.http.credential).length === 0) throw new Untested('no credential was given');
  const refused = (await visit(survey, { anonymous: true })).filter(({ status }) => status !== 200);
  if (refused.length === 0) throw new Untested('everything is public');
  return refused;
}

async function unauthorized(survey: Survey): Promise<readonly Answer[]> {
  const answers = (await refusedWithout(survey)).filter(({ status }) => status === 401);
  if (answers.length === 0) throw new Untested('nothing is answered with 401');
  return answers;
}
