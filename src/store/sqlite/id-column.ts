// Id columns: ids of indicators and of STIX objects are stored as the 16 bytes of their UUID.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Undefined for anything that is not a UUID: no row has such an id. */
export function idToBlob(id: string): Buffer | undefined {
  return UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : undefined;
}

/** @param blob sixteen bytes, as read from an id column. */
export function blobToId(blob: Uint8Array): string {
  const hex = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The UUID of a STIX id, `type--uuid`. Undefined for any other text: no row has such an id. */
export function findStixUuid(stixId: string): Buffer | undefined {
  return idToBlob(stixId.slice(stixId.indexOf('--') + 2));
}

/**
 * The UUID of the STIX id of a published object.
 * @throws TypeError for anything that is not a STIX id.
 */
export function stixIdToBlob(stixId: string): Buffer {
  const uuid = findStixUuid(stixId);
  if (uuid === undefined) throw new TypeError(`not a STIX id: ${stixId}`);
  return uuid;
}
