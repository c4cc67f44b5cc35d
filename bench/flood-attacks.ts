// The attacks of `bench/flood.ts`. Each runs in a worker thread, so that it does not slow down the honest client.

import { connect, type Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

export interface Target {
  readonly attack: keyof typeof ATTACKS;
  readonly port: number;
  readonly readKey: string;
  readonly sensorKey: string;
}

const MEBIBYTE = 1_048_576;
const BATCH_EVENTS = 1_000;

/** A lost connection is made again after this time. */
const AGAIN_MS = 500;

export const ATTACKS = {
  openapi: ({ port }: Target) => {
    const requests = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_500);
    for (let count = 0; count < 60; count++) neverRead(port, requests);
  },
  pages: ({ port, readKey }: Target) => {
    const request = page(readKey);
    const requests = request.repeat(Math.ceil(62_000 / request.length));
    for (let count = 0; count < 60; count++) neverRead(port, requests);
  },
  unread: ({ port, readKey }: Target) => {
    for (let count = 0; count < 400; count++) neverRead(port, page(readKey));
  },
  batches: ({ port, sensorKey }: Target) => {
    for (let count = 0; count < 120; count++) sendBatches(port, sensorKey, count);
  },
  uploads: ({ port, sensorKey }: Target) => {
    const start = Buffer.concat([head(sensorKey, 8 * MEBIBYTE), Buffer.alloc(8 * MEBIBYTE - 1_024, 0x20)]);
    for (let count = 0; count < 200; count++) neverRead(port, start);
  },
};

/** Sends and never reads. */
function neverRead(port: number, bytes: string | Buffer): void {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => socket.destroy());
  socket.on('close', () => setTimeout(() => neverRead(port, bytes), AGAIN_MS));
  socket.write(bytes);
}

/** A page of the feed, as large as a client may ask for. */
function page(key: string): string {
  const path = '/taxii2/collections/service-global-feed/objects/?limit=5000';
  return `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

function head(key: string, length: number): Buffer {
  const lines = ['Host: a', `Authorization: Bearer ${key}`, `Content-Length: ${length}`];
  return Buffer.from(`POST /v1/sensorEvents:ingest HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
}

/** Sends one batch of 6 MB after the other. After a refusal it waits. */
function sendBatches(port: number, key: string, place: number): void {
  let socket: Socket;
  let round = 0;
  const open = () => {
    socket = connect(port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    socket.on('close', () => setTimeout(open, AGAIN_MS));
    socket.on('data', (chunk) => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1];
      if (status === '200') send();
      else if (status !== undefined) setTimeout(send, AGAIN_MS);
    });
    send();
  };
  const send = () => {
    if (socket.destroyed) return;
    const body = Buffer.from(batch(place, round++));
    socket.write(head(key, body.length));
    socket.write(body);
  };
  open();
}

const FILLER = Object.fromEntries(
  Array.from({ length: 6 }, (_, index) => [`field-${index}`, 'x'.repeat(900)]),
);

function batch(place: number, round: number): string {
  const events = Array.from({ length: BATCH_EVENTS }, (_, index) => ({
    eventId: `${place}-${round}-${index}`,
    sensorId: `flood-${place}`,
    sensorType: 'SENSOR_TYPE_NETWORK',
    protocol: 'PROTOCOL_HTTP',
    indicatorType: 'INDICATOR_TYPE_DOMAIN',
    value: `host-${place}-${index}.example.net`,
    observedAt: new Date().toISOString(),
    source: { id: 'flood', name: 'Flood', reliability: 0.6 },
    evidence: FILLER,
  }));
  return JSON.stringify({ events });
}

const target = workerData as Target;
ATTACKS[target.attack](target);
