// The sample, kept until the collection changes.

import { type HttpClient, NoAnswer } from './http-client.ts';
import type { CollectionPaths } from './paths.ts';
import { readManifest, type Sample, takeSample } from './sample.ts';
import { Untested, Violation } from './violation.ts';

/** Requests for comparisons in all. If rule after rule is broken, changing objects are not the cause. */
const MOST_REQUESTS = 60;

export class KeptSample {
  readonly #http: HttpClient;
  readonly #limit: number;
  #kept: Promise<Sample> | undefined;
  #spare = MOST_REQUESTS;

  constructor(http: HttpClient, limit: number) {
    this.#http = http;
    this.#limit = limit;
  }

  /** @throws Untested if objects or manifest cannot be read. */
  async at(paths: CollectionPaths): Promise<Sample> {
    this.#kept ??= takeSample(this.#http, paths, this.#limit);
    try {
      return await this.#kept;
    } catch (error) {
      if (error instanceof Violation) throw new Untested('objects and manifest cannot both be read');
      // A missing answer now says nothing about the next attempt.
      this.#kept = undefined;
      throw error;
    }
  }

  /** Whether the sample, if there is one, still equals the collection. If not, the next call reads a new sample. */
  async isUnchanged(paths: () => CollectionPaths): Promise<boolean> {
    if (this.#kept === undefined || this.#spare <= 0) return true;
    const before = this.#http.requests;
    const [kept, now] = await Promise.allSettled([
      this.#kept,
      readManifest(this.#http, paths(), this.#limit),
    ]);
    this.#spare -= this.#http.requests - before;
    if (now.status === 'rejected') {
      if (now.reason instanceof Violation || now.reason instanceof NoAnswer) return true;
      throw now.reason;
    }
    if (kept.status === 'fulfilled' && kept.value.fingerprint === now.value.fingerprint) return true;
    this.#kept = undefined;
    return kept.status === 'rejected';
  }
}
