// The explanation of a score as ProtoJSON.

import type { IndicatorRecord, Transition } from '../domain/indicator/indicator.ts';
import type { ScoreReceipt } from '../domain/score/score-receipt.ts';
import { ScoreReceiptSchema } from '../gen/threatintel/v1/score_receipt_pb.ts';
import { createEncoder } from './json-encoder.ts';

/** The receipt as it is kept, with the indicator it belongs to and how that came here. */
type Explanation = Partial<ScoreReceipt> & {
  readonly indicatorId: string;
  readonly history: readonly Transition[];
};

const encode = createEncoder<Explanation>(ScoreReceiptSchema);

/** ProtoJSON of `threatintel.v1.ScoreReceipt`. Without a receipt (RAW) no score is claimed: its terms are left out. */
export function encodeReceipt({ indicator, history, receipt }: IndicatorRecord): string {
  const { id: indicatorId, type, categories, lastSeen } = indicator;
  return encode({ indicatorId, type, categories, lastSeen, ...receipt, history });
}
