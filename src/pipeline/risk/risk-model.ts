// A risk model, and its file in a folder of installed data.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { dataFileError } from '../enrichers/data-file.ts';
import { parseJson, readJson } from '../enrichers/json-file.ts';
import type { EvidenceWeights } from './evidence-features.ts';
import { FEATURE_COUNT } from './lexical-features.ts';
import { type LexicalModel, lexicalProbability } from './lexical-model.ts';

export interface RiskModel {
  /** As in the receipt. */
  readonly name: string;
  readonly version: string;
  readonly evidence: EvidenceWeights;
  /** The probability that a host is bad, by its looks. Absent if no names were trained on. */
  readonly lexical?: (host: string) => number;
}

/** What training makes. */
export interface TrainedModel {
  readonly version: string;
  readonly evidence: EvidenceWeights;
  readonly lexical?: LexicalModel;
}

/** Installed models have this name in receipts. */
export const TRAINED = 'trained-logistic';
const MODEL_FILE = 'model.json';
const CARD_FILE = 'card.md';
/** Of the features and their numbers. A file of another format has to be trained again. */
const FORMAT = 1;

const FILE = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  evidence: z.object({
    bias: z.number(),
    intent: z.number().min(0),
    severity: z.number().min(0),
    quality: z.number().min(0),
    groups: z.number().min(0),
    sensorDays: z.number().min(0),
  }),
  lexical: z
    .object({
      bias: z.number(),
      unit: z.number().positive(),
      calibration: z.object({ slope: z.number().positive(), intercept: z.number() }),
      /** Base64. */
      weights: z.string(),
    })
    .optional(),
});

export async function writeModel(
  folder: string,
  { lexical, ...model }: TrainedModel,
  card: string,
): Promise<void> {
  const file = {
    format: FORMAT,
    ...model,
    ...(lexical === undefined
      ? {}
      : { lexical: { ...lexical, weights: Buffer.from(lexical.weights.buffer).toString('base64') } }),
  };
  await writeFile(join(folder, MODEL_FILE), JSON.stringify(file), { mode: 0o600 });
  await writeFile(join(folder, CARD_FILE), card, { mode: 0o600 });
}

/** @throws ServiceError failed_precondition naming the file that cannot be used. */
export async function readModel(folder: string): Promise<RiskModel> {
  const path = join(folder, MODEL_FILE);
  const { version, evidence, lexical } = parseJson(path, await readJson(path), FILE, 'a risk model');
  if (lexical === undefined) return { name: TRAINED, version, evidence };
  const weights = new Int16Array(new Uint8Array(Buffer.from(lexical.weights, 'base64')).buffer);
  if (weights.length !== FEATURE_COUNT) throw dataFileError(path, 'is not a risk model: it has lost weights');
  const { bias, unit, calibration } = lexical;
  const model: LexicalModel = { bias, unit, calibration, weights };
  return { name: TRAINED, version, evidence, lexical: (host) => lexicalProbability(model, host) };
}

/** The model card, in Markdown. */
export function readCard(folder: string): Promise<string> {
  return readFile(join(folder, CARD_FILE), 'utf8');
}
