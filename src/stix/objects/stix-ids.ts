// STIX ids of our own objects: version 4 in form (STIX 2.1 §2.9), the same on every node of one installation.

import { uuidFrom } from '../../domain/indicator/identity.ts';

/** Ids that indicators refer to. */
export interface StixContext {
  /** The service itself: `created_by_ref` of all that it makes. */
  readonly identityId: string;
  /** Definition of the extension that carries what STIX has no property for. */
  readonly extensionId: string;
}

/**
 * The id of an object that the service made itself. The type goes into the UUID too, since STIX wants the UUID part
 * to be unique over all types of one producer.
 * @param key what tells objects of one type apart, such as a technique id.
 */
export function stixId(secret: Buffer, type: string, key: string): string {
  return `${type}--${uuidFrom(secret, type, key)}`;
}

/** @param secret the secret of the installation. */
export function stixContext(secret: Buffer): StixContext {
  return {
    identityId: stixId(secret, 'identity', 'service'),
    extensionId: stixId(secret, 'extension-definition', 'threat-indicator'),
  };
}

/** @param id of a ThreatIndicator. */
export function indicatorStixId(id: string): string {
  return `indicator--${id}`;
}

/** The id of the ThreatIndicator that a STIX id is of, whether or not there is one; undefined for every other text. */
export function indicatorIdOf(stixId: string): string | undefined {
  return /^indicator--([0-9a-f-]{36})$/.exec(stixId)?.[1];
}
