-- rolling: safe
alter table authenticator_apps
  -- Who may see the secret until it is confirmed: the id of a session, or the hash of a challenge in hex.
  add column prepared_for text;

alter table passkeys
  -- The host that it works at. Null for those from before this column.
  add column rp_id text;
