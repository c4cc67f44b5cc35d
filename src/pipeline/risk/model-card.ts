// The model card: what a model was trained on, and how it does on sources that it has not seen.

import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import { EVIDENCE_FEATURES, HAND_SET_WEIGHTS } from './evidence-features.ts';
import type { LabelledSource } from './labelled-sources.ts';
import type { TrainedModel } from './risk-model.ts';
import type { EvidenceReport } from './train-evidence.ts';
import type { LexicalReport, UnseenSource } from './train-lexical.ts';

export interface CardFacts {
  readonly name: string;
  readonly trainedAt: Instant;
  readonly model: TrainedModel;
  readonly sources: readonly LabelledSource[];
  /** Absent if no names were trained on. */
  readonly lexical?: LexicalReport;
  readonly evidence: EvidenceReport;
  /** Readers below this TLP ceiling may learn from scores what the verdicts above theirs were about. */
  readonly ceiling: string;
}

/** In Markdown. */
export function modelCard(facts: CardFacts): string {
  const { name, model, trainedAt } = facts;
  return [
    `# ${name} ${model.version}`,
    `Trained ${toRfc3339(trainedAt)}. Whoever passes the model on needs the right to do so from each source below.`,
    ...namesPart(facts),
    ...verdictsPart(facts),
    '',
  ].join('\n\n');
}

function namesPart({ lexical, sources, model }: CardFacts): string[] {
  if (lexical === undefined) return ['## Names', 'None. How a host looks is not part of the score.'];
  const { unseen, auc, aucUnseenGood, bins } = lexical;
  const calibration = model.lexical?.calibration;
  return [
    '## Names',
    'Hashed character n-grams of the host, its ending and its shape; logistic regression. Paths of URLs are not used.',
    table(
      ['Source', 'Label', 'Names', 'SHA-256'],
      sources.map((source) => [source.name, label(source), count(source.hosts.length), source.sha256]),
    ),
    '## On sources that it has not seen',
    `AUC ${auc.toFixed(3)} over all bad sources. Each was scored by a model that was trained without the source, without the names of its registered domains and without the good names that it is compared with.`,
    table(
      ['Bad source left out', 'Names', 'AUC', 'Found with 1 % false alarms'],
      unseen.filter(({ isBad }) => isBad).map((one) => [...row(one), percent(one.found ?? 0)]),
    ),
    ...(aucUnseenGood === undefined
      ? ['There is one good source, so nothing is known about good names of other kinds.']
      : [
          `AUC ${aucUnseenGood.toFixed(3)} with good sources left out. Good names of a new kind look strange, so they score higher than known kinds.`,
          table(['Good source left out', 'Names', 'AUC'], unseen.filter(({ isBad }) => !isBad).map(row)),
        ]),
    '## Calibration',
    `Platt scaling on the scores of unseen sources: slope ${calibration?.slope.toFixed(3)}, intercept ${calibration?.intercept.toFixed(3)}. Probabilities are for a world in which half of the names are bad.`,
    table(
      ['Probability from', 'Names', 'Mean probability', 'Share bad'],
      bins.map(({ from, count: names, meanProbability, shareBad }) => [
        from.toFixed(1),
        count(names),
        meanProbability.toFixed(3),
        shareBad.toFixed(3),
      ]),
    ),
  ];
}

function verdictsPart({ evidence: { confirmed, refuted, unseen }, model, ceiling }: CardFacts): string[] {
  const isTrained = EVIDENCE_FEATURES.some((name) => model.evidence[name] !== HAND_SET_WEIGHTS[name]);
  return [
    '## Verdicts',
    `${confirmed} confirmed and ${refuted} disputed indicators, as a reader with the ceiling ${ceiling} sees them. ${isTrained ? 'The weights are trained.' : 'The weights are those set by hand: there are too few verdicts.'}`,
    table(
      ['Weight', 'Set by hand', 'Used'],
      EVIDENCE_FEATURES.map((name) => [
        name,
        HAND_SET_WEIGHTS[name].toFixed(2),
        model.evidence[name].toFixed(2),
      ]),
    ),
    ...(unseen.length === 0
      ? isTrained
        ? [
            'No source has verdicts of both kinds beside another one, so nothing was measured on unseen sources.',
          ]
        : []
      : [
          table(
            ['Source left out', 'Verdicts', 'AUC'],
            unseen.map(({ sourceId, verdicts, auc }) => [sourceId, count(verdicts), auc.toFixed(3)]),
          ),
        ]),
  ];
}

function label({ isBad }: Pick<LabelledSource, 'isBad'>): string {
  return isBad ? 'bad' : 'good';
}

function row({ name, names, auc }: UnseenSource): string[] {
  return [name, count(names), auc.toFixed(3)];
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Bars in a name of a file would end a cell. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
