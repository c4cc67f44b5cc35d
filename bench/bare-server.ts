// The server that the service is compared with: bare Fastify that does nothing besides sending answers from memory. A
// benchmark starts it as a separate process, with the file of its answers.
//
//   /constant   sends each body in turn, GET and POST
//   /join       joins the stored documents of each page in turn, as a search does, POST

import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import type { BareAnswers } from './processes.ts';

const [, , file = ''] = process.argv;
const answers: BareAnswers = JSON.parse(readFileSync(file, 'utf8'));
const bodies = answers.bodies.map((body) => Buffer.from(body));
const nextBody = inTurn(bodies);
const nextPage = inTurn(answers.pages);

const app = Fastify();
app.get('/constant', (_request, reply) => reply.type('application/json').send(nextBody()));
app.post('/constant', (_request, reply) => reply.type('application/json').send(nextBody()));
app.post('/join', (_request, reply) => {
  const page = nextPage();
  return reply
    .type('application/json')
    .send(`{"indicators":[${page.join(',')}],"pageInfo":{"nextPageToken":"","totalCount":"${page.length}"}}`);
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);

function inTurn<Item>(items: readonly Item[]): () => Item {
  let turn = 0;
  return () => {
    const item = items[turn++ % items.length];
    if (item === undefined) throw new Error('this server was started without such an answer');
    return item;
  };
}
