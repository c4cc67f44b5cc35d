// The shape of a decoder: from one evidence key of an event to behaviour codes.

import type { SensorEvent } from '../indicator/sensor-event.ts';
import type { EvidenceKey } from './evidence-key.ts';

/**
 * Says what the value of one key means; the event is there for keys that belong together and for its protocol.
 * Answers codes that behaviour-rules.ts knows, or nothing. Never throws, whatever the value.
 */
export type EvidenceDecoder = (value: string, event: SensorEvent) => string | readonly string[] | undefined;

/** Decoders by evidence key. A key that only refines another one has no decoder of its own. */
export type EvidenceDecoders = Readonly<Partial<Record<EvidenceKey, EvidenceDecoder>>>;
