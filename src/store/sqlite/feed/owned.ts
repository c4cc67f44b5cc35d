// What an object of the feed owns. Our own ids of owned objects begin with the 48 bits with which the UUID of the owner
// begins (domain/indicator/identity.ts), so they are found in a range of the index of UUIDs. The few others have an index.

const SHARED_BYTES = 6;
const REST = Buffer.alloc(16 - SHARED_BYTES, 0xff);

/** A condition on `feed`: an owned object whose UUID does not begin as that of its owner. */
export const IS_STRAY = `substr(uuid, 1, ${SHARED_BYTES}) <> substr(owner, 1, ${SHARED_BYTES})`;

/** A condition on `feed`: the versions of the objects that an object owns. Takes the values of `ownedBy`. */
export const IS_OWNED = `date_added in (
  select date_added from feed where uuid >= ?2 and uuid <= ?3 and owner = ?1
  union all select date_added from feed where owner = ?1 and ${IS_STRAY}
  union all select date_added from feed where second_owner = ?1)`;

/** A condition on `feed`: the versions of the links between an object and others. Takes the UUID of the object. */
export const IS_LINK = `date_added in (
  select date_added from feed where owner = ?1 and second_owner is not null
  union all select date_added from feed where second_owner = ?1)`;

/** @param owner its UUID. */
export function ownedBy(owner: Buffer): [Buffer, Buffer, Buffer] {
  const shared = owner.subarray(0, SHARED_BYTES);
  return [owner, shared, Buffer.concat([shared, REST])];
}
