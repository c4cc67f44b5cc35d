// Rules about media types (TAXII 2.1 §1.6.8, §3.1).

import { TAXII_MEDIA_TYPE } from '../http-client.ts';
import { must, type Rule, should } from '../rule.ts';
import { checkNone } from '../violation.ts';

/** Accept headers that accept TAXII 2.1. Null sends no Accept header. */
const ACCEPTED: readonly (readonly [name: string, accept: string | null, rule: typeof must])[] = [
  ['with its version', TAXII_MEDIA_TYPE, must],
  ['without a version', 'application/taxii+json', must],
  ['with a space before the version', 'application/taxii+json; version=2.1', must],
  ['with its version in quotes', 'application/taxii+json;version="2.1"', must],
  ['in upper case', 'APPLICATION/TAXII+JSON;VERSION=2.1', must],
  ['in a list', 'application/json, application/taxii+json;version=2.1', must],
  ['in a list with weights', 'text/html;q=0.2, application/taxii+json;version=2.1;q=0.9', must],
  ['of application/*', 'application/*', should],
  ['of */*', '*/*', should],
  ['header that is missing', null, should],
];

const FOREIGN = ['application/json', 'text/html', 'application/vnd.oasis.taxii+json; version=2.0'];

export const negotiationRules: readonly Rule[] = [
  ...ACCEPTED.map(([name, accept, rule]) =>
    rule('1.6.8', `negotiation: an Accept ${name} is answered`, async (survey) => {
      const headers = { accept };
      (await survey.http.send(`${survey.root}collections/`, { headers })).expect(200);
      if (survey.collection === undefined) return;
      (await survey.http.send(`${survey.paths().objects}?limit=1`, { headers })).expect(200);
    }),
  ),

  // The media types in the example of §5.3 for this endpoint.
  must('5.3', 'negotiation: the manifest knows the list of TAXII and STIX', async (survey) => {
    const headers = { accept: `${TAXII_MEDIA_TYPE},application/stix+json;version=2.1` };
    (await survey.http.send(`${survey.paths().manifest}?limit=1`, { headers })).expect(200);
  }),

  must(
    '1.6.8',
    'negotiation: where TAXII is not accepted, it is served all the same or 406',
    async ({ http, root }) => {
      const faults: string[] = [];
      for (const accept of FOREIGN) {
        const { status } = await http.send(`${root}collections/`, { headers: { accept } });
        if (status !== 200 && status !== 406) faults.push(`${status} to ${accept}`);
      }
      checkNone(faults);
    },
  ),

  // Clients with several versions fall back to an older one after a 406.
  should('1.6.8', 'negotiation: another version alone is 406', async ({ http, root }) => {
    for (const accept of [
      'application/taxii+json;version=2.0',
      'application/vnd.oasis.taxii+json; version=2.0',
    ]) {
      (await http.send(`${root}collections/`, { headers: { accept } })).expect(406);
    }
  }),
];
