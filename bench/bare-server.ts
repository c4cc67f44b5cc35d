// What the service is compared with: bare Fastify that sends the same bytes from memory, with nothing else to do.
// A process of its own, started by bench/main.ts with a folder that holds `record.json` and `records.json`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';

const folder = process.argv[2] ?? '.';
const record = readFileSync(join(folder, 'record.json'));
const records: string[] = JSON.parse(readFileSync(join(folder, 'records.json'), 'utf8'));

const app = Fastify();
app.get('/record', (_request, reply) => reply.type('application/json').send(record));
app.post('/search', (_request, reply) =>
  reply
    .type('application/json')
    .send(
      `{"indicators":[${records.join(',')}],"pageInfo":{"nextPageToken":"","totalCount":"${records.length}"}}`,
    ),
);
app.get('/objects', (_request, reply) =>
  reply.type('application/json').send(`{"more":true,"objects":[${records.join(',')}]}`),
);
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
