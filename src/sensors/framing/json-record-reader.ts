// A reader of logs in which every record is one JSON object that stands by itself.

import { type RecordReader, type RecordResult, type RefusalReason, refused } from '../reader.ts';
import { type JsonObject, jsonObject } from './json-record.ts';

export interface JsonRecordRules {
  /** Whether the object is a record of this format at all. */
  readonly recognises: (record: JsonObject) => boolean;
  /** The reason for refusing one that is not, such as `NOT_AN_EVE_RECORD`. */
  readonly foreign: RefusalReason;
  /** @param text the record as it stands in the log. */
  readonly read: (line: number, text: string, record: JsonObject) => RecordResult;
}

/** Blank lines are no records; what cannot be read as an object is refused as INVALID_JSON. */
export function jsonRecordReader({ recognises, foreign, read }: JsonRecordRules): RecordReader {
  return {
    read: (line) => {
      if (line.fault !== undefined) return refused(line.number, line.fault);
      const text = line.text.trim();
      if (text === '') return undefined;
      const record = jsonObject(text);
      if (record === undefined) return refused(line.number, 'INVALID_JSON');
      return recognises(record) ? read(line.number, text, record) : refused(line.number, foreign);
    },
    end: () => undefined,
  };
}
