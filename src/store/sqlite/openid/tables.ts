// The tables of the embedded OpenID provider, as part of the schema.

export const OPENID_TABLES = `
  -- Clients of the embedded OpenID provider. secret is the SHA-256 of the secret.
  create table openid_client (
    id text primary key,
    account text not null,
    created_at integer not null,
    revoked_at integer,
    fields text not null,
    secret blob
  ) strict;
  create index openid_client_created on openid_client (account, created_at desc, id);

  -- Keys with which it signs; jwk has the private part.
  create table openid_key (
    id text primary key,
    created_at integer not null,
    signs_from integer not null,
    jwk text not null
  ) strict, without rowid;

  -- Sign-ins under way, grants, codes. They live for minutes, and those of a kind are bounded. key is a SHA-256.
  create table openid_record (
    seq integer primary key,
    kind text not null,
    key blob not null unique,
    expires_at integer not null,
    consumed_at integer,
    payload text not null
  ) strict;
  create index openid_record_kind on openid_record (kind, seq);
  create index openid_record_end on openid_record (expires_at);
`;
