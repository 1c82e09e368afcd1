-- rolling: safe
-- What the user of a session has proved for one kind of change. The change uses it up.
create table change_proofs (
  session_id uuid not null references sessions (id) on delete cascade,
  change text not null,
  kind text not null,
  -- Of a provider, an authenticator app or a passkey: which one.
  method_id text,
  created_at timestamptz(3) not null default now(),
  primary key (session_id, change, kind),
  constraint change_proofs_kind_known check (
    kind in ('password', 'provider', 'mail_code', 'app', 'passkey', 'recovery_code')
  )
);

-- Codes that were sent by mail, by what each of them confirms.
create table mail_codes (
  key text primary key,
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index mail_codes_expires_at_index on mail_codes (expires_at);
