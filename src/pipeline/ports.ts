// What the pipeline needs from layers it may not import; compose.ts hands them over.

import type { Indicator, IndicatorRecord } from '../domain/indicator.ts';
import type { FeedAppend } from '../store/stores.ts';

/** The ProtoJSON of an indicator. `api/` makes it from the contract. */
export type EncodeIndicator = (indicator: Indicator) => string;

/** The STIX objects of one version of an indicator, referenced objects first. `feed/` makes them. */
export type RenderStix = (record: IndicatorRecord) => readonly FeedAppend[];
