-- rolling: safe
-- The rows of deleted accounts, for as long as a recovery can bring them back. They are not encrypted: what is
-- secret in them is hashed or encrypted already, as it was in its table, and they survive a new AUTH_SECRET.
create table deleted_account_rows (
  -- In the order in which they were stored.
  id bigint generated always as identity primary key,
  -- No foreign key: the user is deleted.
  user_id uuid not null,
  erase_at timestamptz(3) not null,
  table_name text not null,
  -- Each value as text, by its column.
  content jsonb not null,
  -- Of a row that stays and loses its reference: the foreign key, and the primary key of the row. The
  -- content is then that of the foreign key.
  constraint_name text,
  row_key jsonb,
  constraint deleted_account_rows_key check ((constraint_name is null) = (row_key is null))
);
create index deleted_account_rows_user_id_index
  on deleted_account_rows (user_id, table_name, constraint_name);
create index deleted_account_rows_erase_at_index on deleted_account_rows (erase_at);
