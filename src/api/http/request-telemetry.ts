// Telemetry of requests: once the answer has left, one observation of the duration and one line in the log. Neither holds a
// path, a query or a header; the template of the route takes their place.

import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Family, Histogram, Metrics } from '../../telemetry/metrics.ts';
import { findCaller } from './admission.ts';
import { EVENT_STREAM } from './event-stream.ts';

/** Upper bounds in seconds, as the semantic conventions of OpenTelemetry recommend for HTTP servers. */
const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** All other methods share one label, so that clients cannot add time series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** OpenTelemetry's `http.server.request.duration`, with names as Prometheus writes them. */
export function requestDurations(metrics: Metrics): Family<Histogram> {
  return metrics.histogram(
    'http_server_request_duration_seconds',
    'Duration of HTTP requests, from their header to the end of their answer.',
    DURATION_BOUNDS,
    ['http_request_method', 'http_route', 'http_response_status_code'],
  );
}

/** Fastify calls `requestCompleted` after each answer, which is cheaper than a hook. */
export class RequestTelemetry extends LogController {
  readonly #durations: Family<Histogram>;
  /** By method, status and Fastify's path, so that labels are built once. */
  readonly #series = new Map<string, Histogram>();

  constructor(durations: Family<Histogram>) {
    super({ disableRequestLogging: true });
    this.#durations = durations;
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { elapsedTime, statusCode } = reply;
    const { url = '' } = request.routeOptions;
    // A stream lasts as long as its client wants.
    if (reply.getHeader('content-type') !== EVENT_STREAM)
      this.#seriesOf(request.method, statusCode, url).observe(elapsedTime / 1_000);
    request.log.info(
      {
        method: request.method,
        route: templateOf(url),
        status: statusCode,
        durationMs: Math.round(elapsedTime * 1_000) / 1_000,
        // The id of a key, or issuer and subject: never a secret.
        keyId: findCaller(request)?.id,
        address: request.ip,
        ...(error === null || error === undefined ? {} : { err: error }),
      },
      'request',
    );
  }

  #seriesOf(method: string, status: number, url: string): Histogram {
    const key = `${method} ${status} ${url}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const series = this.#durations.with(
      METHODS.has(method) ? method : '_OTHER',
      templateOf(url),
      String(status),
    );
    this.#series.set(key, series);
    return series;
  }
}

const templates = new Map<string, string>();

/** Fastify's path as the contract writes it: `/v1/indicators/{id}:verify`; empty where no route was found. */
export function templateOf(url: string): string {
  const known = templates.get(url);
  if (known !== undefined) return known;
  const template = url.replace(/::|:(\w+)(?:\([^)]*\))?/g, (part, name: string) =>
    part === '::' ? ':' : `{${name}}`,
  );
  templates.set(url, template);
  return template;
}
