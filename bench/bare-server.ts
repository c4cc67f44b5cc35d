// The server that the service is compared with: bare Fastify that sends the same bytes from memory and does nothing else.
// A benchmark starts it as a separate process, with a folder that holds the answers: `record.json` (one document),
// `records.json` (a list of documents, joined for every request as in a search), `body.json` (a whole answer).

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';

const folder = process.argv[2] ?? '.';
const record = contentOf('record.json');
const records: string[] = JSON.parse(contentOf('records.json').toString() || '[]');
const body = contentOf('body.json');

const app = Fastify();
app.get('/record', (_request, reply) => reply.type('application/json').send(record));
app.post('/search', (_request, reply) =>
  reply
    .type('application/json')
    .send(
      `{"indicators":[${records.join(',')}],"pageInfo":{"nextPageToken":"","totalCount":"${records.length}"}}`,
    ),
);
app.get('/body', (_request, reply) => reply.type('application/json').send(body));
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);

function contentOf(name: string): Buffer {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}
