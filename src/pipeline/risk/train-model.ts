// Training of a whole risk model: weights of the evidence from verdicts, and how names look from sources of names.

import { hash } from 'node:crypto';
import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import { HAND_SET_WEIGHTS } from './evidence-features.ts';
import { cleaned, type LabelledSource } from './labelled-sources.ts';
import { modelCard } from './model-card.ts';
import { TRAINED, type TrainedModel } from './risk-model.ts';
import { type EvidenceReport, trainEvidence } from './train-evidence.ts';
import { type LexicalReport, trainLexical } from './train-lexical.ts';
import type { StoredVerdict } from './verdicts.ts';

export interface Training {
  readonly model: TrainedModel;
  readonly card: string;
  readonly evidence: EvidenceReport;
  readonly lexical?: LexicalReport;
}

/**
 * @param sources of names. If there are none of a label, the model has no lexical part.
 * @param ceiling of the reader for whom the verdicts were read.
 * @param onStep is told of each lexical model that is trained.
 */
export function trainModel(
  sources: readonly LabelledSource[],
  verdicts: readonly StoredVerdict[],
  ceiling: string,
  trainedAt: Instant,
  onStep?: (done: number, all: number) => void,
): Training {
  const { weights = HAND_SET_WEIGHTS, report: evidence } = trainEvidence(verdicts);
  const labels = new Set(sources.map(({ isBad }) => isBad));
  const used = labels.size === 2 ? cleaned([...sources, ...namesOf(verdicts)]) : [];
  const trained = labels.size === 2 ? trainLexical(used, onStep) : undefined;
  const bytes = trained === undefined ? '' : Buffer.from(trained.model.weights.buffer).toString('base64');
  const sum = hash('sha256', JSON.stringify([weights, trained?.model.calibration, bytes]), 'hex').slice(0, 8);
  const model: TrainedModel = {
    version: `${toRfc3339(trainedAt).slice(0, 10).replaceAll('-', '')}-${sum}`,
    evidence: weights,
    ...(trained === undefined ? {} : { lexical: trained.model }),
  };
  const lexical = trained === undefined ? {} : { lexical: trained.report };
  const card = modelCard({ name: TRAINED, trainedAt, model, sources: used, evidence, ceiling, ...lexical });
  return { model, card, evidence, ...lexical };
}

/** The hosts of confirmed and of disputed domains and URLs, as two more sources. */
function namesOf(verdicts: readonly StoredVerdict[]): readonly LabelledSource[] {
  return [true, false].flatMap((isBad) => {
    const hosts = [
      ...new Set(
        verdicts.flatMap((verdict) =>
          verdict.isBad === isBad && verdict.host !== undefined ? [verdict.host] : [],
        ),
      ),
    ];
    const name = isBad ? 'verdicts: confirmed' : 'verdicts: disputed';
    return hosts.length === 0
      ? []
      : [{ name, isBad, hosts, sha256: hash('sha256', hosts.join('\n'), 'hex') }];
  });
}
