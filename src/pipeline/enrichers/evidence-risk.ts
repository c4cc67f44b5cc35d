// The risk score: a logistic model over the evidence, for every type of indicator. Each receipt contains the weights
// and the features.
//
// The weights are set by hand, unless `tis model train` has trained others. One sensor that reports an identity request
// gives about 0.14, a failed login 0.11, a coil write 0.63, a stopped controller 0.82. A trained model may also judge how
// the host of a domain or URL looks.
//
// Every weight except the bias is positive or 0. The risk therefore never falls when the intent, the severity, the quality
// of the evidence, the groups of sources or the sensor-days rise. The clock has no influence, and the result is
// rounded, so an event without new information does not change it.

import type { Indicator } from '../../domain/indicator/indicator.ts';
import { hostOf } from '../../domain/indicator/indicator-address.ts';
import { parseAddress } from '../../domain/observable/address.ts';
import type { Enricher } from '../enricher.ts';
import {
  evidenceFeatures,
  evidenceLogOdds,
  HAND_SET_WEIGHTS,
  LEXICAL_WEIGHT,
} from '../risk/evidence-features.ts';
import { probabilityOf } from '../risk/logistic.ts';
import type { RiskModel } from '../risk/risk-model.ts';

const HAND_SET: RiskModel = { name: 'evidence-logistic', version: '1', evidence: HAND_SET_WEIGHTS };

const ROUNDING = 1_000;

export const evidenceRisk: Enricher = riskOf(HAND_SET);

export function riskOf({ name, version, evidence, lexical }: RiskModel): Enricher {
  return {
    name: 'evidence-risk',
    appliesTo: () => true,
    enrich: ({ record, receipt }) => {
      const features = evidenceFeatures(record, receipt);
      const host = lexical && namedHost(record.indicator);
      if (lexical === undefined || host === undefined) {
        const score = rounded(probabilityOf(evidenceLogOdds(features, evidence)));
        return { risk: { model: name, version, score, features, weights: evidence } };
      }
      const looks = rounded(lexical(host)) - 0.5;
      const odds = evidenceLogOdds(features, evidence) + LEXICAL_WEIGHT * looks;
      return {
        risk: {
          model: name,
          version,
          score: rounded(probabilityOf(odds)),
          features: { ...features, lexical: looks },
          weights: { ...evidence, lexical: LEXICAL_WEIGHT },
        },
      };
    },
  };
}

/** The name of a domain or of the host of a URL. Undefined for an address, and for all other types. */
export function namedHost({ type, value }: Pick<Indicator, 'type' | 'value'>): string | undefined {
  const host = type === 'DOMAIN' ? value : type === 'URL' ? hostOf(value) : '';
  return host === '' || parseAddress(host) !== undefined ? undefined : host;
}

function rounded(probability: number): number {
  return Math.round(ROUNDING * probability) / ROUNDING;
}
