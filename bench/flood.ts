// `npx node bench/flood.ts`: the cost of requests whose answers nobody reads. Sixty connections pipeline 1,500
// requests each and read nothing. The script prints the memory of the service and the time that `/livez` takes.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTis } from './processes.ts';

const CONNECTIONS = 60;
const REQUESTS = 1_500;
const SECONDS = 45;

const folder = await mkdtemp(join(tmpdir(), 'tis-flood-'));
const sockets: Socket[] = [];
try {
  await using service = await startTis(join(folder, 'data'));
  const url = `http://127.0.0.1:${service.port}/livez`;
  console.log(`before: ${await residentMegabytes(service.pid)} MB, /livez ${await answerTime(url)} ms`);
  const requests = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(REQUESTS);
  for (let count = 0; count < CONNECTIONS; count++) sockets.push(flood(service.port, requests));
  const peak = { memory: 0, answer: 0 };
  for (const started = performance.now(); performance.now() - started < SECONDS * 1_000; ) {
    peak.answer = Math.max(peak.answer, await answerTime(url));
    peak.memory = Math.max(peak.memory, await residentMegabytes(service.pid));
    await delay(250);
  }
  const descriptors = await readdir(`/proc/${service.pid}/fd`);
  console.log(`peak: ${peak.memory} MB, /livez ${peak.answer} ms`);
  console.log(
    `after ${SECONDS} s: ${await residentMegabytes(service.pid)} MB, ${descriptors.length} descriptors open`,
  );
} finally {
  for (const socket of sockets) socket.destroy();
  await rm(folder, { recursive: true, force: true });
}

/** Sends the requests and never reads. */
function flood(port: number, requests: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => socket.destroy());
  socket.write(requests);
  return socket;
}

async function answerTime(url: string): Promise<number> {
  const started = performance.now();
  await (await fetch(url)).text();
  return Math.round(performance.now() - started);
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024);
}
