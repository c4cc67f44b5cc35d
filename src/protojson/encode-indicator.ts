// The ProtoJSON of an indicator: what is stored at every write and handed out, as it is, by every read.

import type { Indicator } from '../domain/indicator/indicator.ts';
import { ThreatIndicatorSchema } from '../gen/threatintel/v1/model_pb.ts';
import { createEncoder } from './json-encoder.ts';

/** One line, about 5 µs. The members of a domain indicator are named as in the contract, so it needs no mapping. */
export const encodeIndicator: (indicator: Indicator) => string =
  createEncoder<Indicator>(ThreatIndicatorSchema);
