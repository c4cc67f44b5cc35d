// The list of formats, and the detection of the format of an input.

import { conpotJson } from './conpot/json.ts';
import { conpotText } from './conpot/text.ts';
import { cowrie } from './cowrie/cowrie.ts';
import { chained } from './framing/byte-source.ts';
import { LineSplitter } from './framing/lines.ts';
import type { SensorFormat } from './reader.ts';
import { sensorEventLines } from './sensor-event-lines.ts';
import { suricata } from './suricata/suricata.ts';
import { zeekJson } from './zeek/json.ts';
import { zeekTsv } from './zeek/tsv.ts';

/** In order of preference, for an input that several formats recognise. */
const SENSOR_FORMATS: readonly SensorFormat[] = [
  sensorEventLines,
  conpotJson,
  conpotText,
  cowrie,
  suricata,
  zeekJson,
  zeekTsv,
];

/** The names that `--format` takes, apart from `auto`. */
export const FORMATS: readonly string[] = SENSOR_FORMATS.map((format) => format.name);

/** How much of an input is read to recognise it, unless its first line is longer. */
const SAMPLE_BYTES = 65_536;
const MAX_SAMPLE_BYTES = 2_097_152;
const SAMPLE_LINES = 100;

export function formatNamed(name: string): SensorFormat | undefined {
  return SENSOR_FORMATS.find((format) => format.name === name);
}

/** The format that recognises the most of these lines; undefined when none recognises any. */
export function recognisedFormat(sample: readonly string[]): SensorFormat | undefined {
  let best: SensorFormat | undefined;
  let most = 0;
  for (const format of SENSOR_FORMATS) {
    const lines = format.recognise(sample);
    if (lines > most) {
      best = format;
      most = lines;
    }
  }
  return best;
}

export interface Detected {
  /** Undefined when no format is recognised. An input without text has the first format and no records. */
  readonly format: SensorFormat | undefined;
  /** The whole input, from its first byte. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Reads as little as it needs. A pipe that is still being written to is recognised by its first line. */
export async function detectFormat(bytes: AsyncIterable<Uint8Array>): Promise<Detected> {
  const source = bytes[Symbol.asyncIterator]();
  const splitter = new LineSplitter();
  const head: Uint8Array[] = [];
  const sample: string[] = [];
  let size = 0;
  let anything = false;
  let format: SensorFormat | undefined;
  while (format === undefined && (size < SAMPLE_BYTES || (!anything && size < MAX_SAMPLE_BYTES))) {
    const next = await source.next();
    for (const line of next.done === true ? splitter.end() : splitter.push(next.value)) {
      if (line.fault === undefined && line.text.trim() === '') continue;
      anything = true;
      if (sample.length < SAMPLE_LINES) sample.push(line.text);
    }
    format = recognisedFormat(sample);
    if (next.done === true) break;
    head.push(next.value);
    size += next.value.byteLength;
  }
  const start = Buffer.concat(head);
  // An array may be one endless line, and one record of it may be longer than the sample.
  format ??= recognisedFormat(start.toString('utf8', 0, SAMPLE_BYTES).split('\n'));
  return {
    format: format ?? (anything ? undefined : SENSOR_FORMATS[0]),
    bytes: chained(start, source),
  };
}
