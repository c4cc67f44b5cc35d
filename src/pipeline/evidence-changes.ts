// The kept evidence and the sessions that one transaction changes.

import {
  bytesOfEvidence,
  type KeptEvidence,
  NO_EVIDENCE,
  withLink,
  withSeen,
} from '../domain/evidence/kept-evidence.ts';
import { type KeptLink, keptLink } from '../domain/evidence/links.ts';
import { joinSession, type SessionMember } from '../domain/evidence/session-members.ts';
import type { Observation } from '../domain/indicator/sensor-event.ts';
import type { Instant } from '../domain/instant.ts';
import { TLP_MARKINGS, type TlpMarking } from '../domain/vocabulary.ts';
import type { EvidenceWrite } from '../store/indicators.ts';
import type { WriteTransaction } from '../store/stores.ts';
import type { TouchedLink } from './publish-links.ts';

/** A report, with what it names together with its value. */
export interface LinkedReport {
  readonly indicatorId: string;
  readonly observation: Observation;
  readonly links: readonly KeptLink[];
  /** Key of its session, 32 hex digits. */
  readonly session?: string;
}

/** What one report changes. The caller decides whether it does. */
export interface EvidenceChange {
  readonly evidence: ReadonlyMap<string, EvidenceWrite>;
  readonly session?: { readonly key: string; readonly members: readonly SessionMember[] };
  /** Bytes by which the kept evidence grows. */
  readonly growth: number;
}

type Stored = ReadonlyMap<string, ReadonlyMap<TlpMarking, KeptEvidence>>;

export class EvidenceChanges {
  readonly #now: Instant;
  readonly #stored: Stored;
  readonly #sessions: Map<string, readonly SessionMember[]>;
  readonly #after = new Map<string, EvidenceWrite>();
  readonly #joined = new Set<string>();

  private constructor(now: Instant, stored: Stored, sessions: Map<string, readonly SessionMember[]>) {
    this.#now = now;
    this.#stored = stored;
    this.#sessions = sessions;
  }

  /** @param known the ids of indicators that the store holds. A new one has no evidence yet. */
  static async load(
    tx: WriteTransaction,
    reports: readonly LinkedReport[],
    known: Iterable<string>,
    now: Instant,
  ): Promise<EvidenceChanges> {
    const keys = new Set(reports.flatMap(({ session }) => session ?? []));
    const sessions = keys.size === 0 ? new Map() : await tx.recallSessions([...keys]);
    const ids = new Set(known);
    for (const { links } of reports) for (const { otherId } of links) ids.add(otherId);
    for (const members of sessions.values()) for (const { indicatorId } of members) ids.add(indicatorId);
    return new EvidenceChanges(now, await tx.loadEvidence([...ids]), sessions);
  }

  of({ indicatorId, observation, links, session: key }: LinkedReport): EvidenceChange {
    const evidence = new Map<string, EvidenceWrite>();
    let growth = 0;
    const change = (id: string, marking: TlpMarking, make: (before: KeptEvidence) => KeptEvidence) => {
      const name = `${id}/${marking}`;
      const before = evidence.get(name)?.evidence ?? this.#of(id, marking);
      const after = make(before);
      if (after === before) return;
      evidence.set(name, { indicatorId: id, marking, evidence: after });
      growth += Math.max(0, bytesOfEvidence(after) - bytesOfEvidence(before));
    };
    const link = (one: KeptLink, marking: TlpMarking) => {
      if (one.otherId === indicatorId) return;
      const mirrored = { ...one, otherId: indicatorId, fromOther: !one.fromOther };
      change(indicatorId, marking, (before) => withLink(before, one, observation));
      change(one.otherId, marking, (before) => withLink(before, mirrored, observation));
    };

    change(indicatorId, observation.tlp, (before) => withSeen(before, observation));
    for (const one of links) link(one, observation.tlp);
    if (key === undefined) return { evidence, growth };
    const joining = { indicatorId, marking: observation.tlp, at: this.#now };
    const joined = joinSession(this.#sessions.get(key) ?? [], joining);
    if (joined === undefined) return { evidence, growth };
    const named = new Set(links.map(({ otherId }) => otherId));
    for (const { otherId, marking } of joined.linked) {
      if (!named.has(otherId)) link({ kind: 'same-session', otherId, fromOther: false }, marking);
    }
    return { evidence, session: { key, members: joined.members }, growth: growth + MEMBER_BYTES };
  }

  keep({ evidence, session }: EvidenceChange): void {
    for (const [name, write] of evidence) this.#after.set(name, write);
    if (session === undefined) return;
    this.#sessions.set(session.key, session.members);
    this.#joined.add(session.key);
  }

  /** The links that were counted or given up at one of their ends. */
  *touched(): Generator<TouchedLink> {
    for (const { indicatorId, marking, evidence } of this.#after.values()) {
      const before = this.#stored.get(indicatorId)?.get(marking)?.links.items;
      const after = evidence.links.items;
      if (before === after) continue;
      for (const [id, item] of after)
        if (before?.get(id) !== item) yield { indicatorId, marking, link: keptLink(item) };
      for (const [id, item] of before ?? [])
        if (!after.has(id)) yield { indicatorId, marking, link: keptLink(item) };
    }
  }

  /** Whether an indicator keeps links, as far as this transaction knows it. */
  hasLinks(indicatorId: string): boolean {
    return TLP_MARKINGS.some((marking) => this.#of(indicatorId, marking).links.items.size > 0);
  }

  /** After the indicators: what belongs to one that nobody sees is left out. */
  async store(tx: WriteTransaction): Promise<void> {
    await tx.saveEvidence([...this.#after.values()]);
    for (const key of this.#joined) await tx.rememberSession(key, this.#sessions.get(key) ?? [], this.#now);
  }

  #of(indicatorId: string, marking: TlpMarking): KeptEvidence {
    return (
      this.#after.get(`${indicatorId}/${marking}`)?.evidence ??
      this.#stored.get(indicatorId)?.get(marking) ??
      NO_EVIDENCE
    );
  }
}

/** A member of a session, and its share of the row. */
const MEMBER_BYTES = 150;
