-- rolling: safe
create table authenticator_apps (
  user_id uuid primary key references users (id) on delete cascade,
  -- Encrypted with a key from AUTH_SECRET.
  secret bytea not null,
  -- The key that it is encrypted with.
  key_id text not null,
  -- The time step of the last accepted code: no code is accepted twice.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  -- Null until the first code: it does not count before.
  confirmed_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index authenticator_apps_key_id_index on authenticator_apps (key_id);

create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

create table passkeys (
  -- The id that the authenticator chose, in base64url.
  id text primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  -- Whether other devices of the user have it too.
  synced boolean not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index passkeys_user_id_index on passkeys (user_id);

-- Of passkeys. Each is deleted when it is used.
create table passkey_challenges (
  challenge_hash bytea primary key,
  -- The user who adds a passkey. Null for a sign-in.
  user_id uuid references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index passkey_challenges_user_id_index on passkey_challenges (user_id);
create index passkey_challenges_expires_at_index on passkey_challenges (expires_at);

-- Each stands for the first proof of a sign-in.
create table sign_in_challenges (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- What the user has proved: password, link or the id of a provider.
  proved_by text not null,
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sign_in_challenges_user_id_index on sign_in_challenges (user_id);
create index sign_in_challenges_expires_at_index on sign_in_challenges (expires_at);

-- Browsers that need no second factor until they expire.
create table remembered_browsers (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- The SHA-256 of the id in the device cookie.
  device_hash bytea not null,
  ip text,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  unique (user_id, device_hash)
);
create index remembered_browsers_expires_at_index on remembered_browsers (expires_at);

create table notice_settings (
  user_id uuid primary key references users (id) on delete cascade,
  new_device boolean not null
);

-- The server does not start without the module while users have a second factor.
create view security_protected_users as
  select user_id from authenticator_apps where confirmed_at is not null
  union
  select user_id from passkeys;

-- A thief who knew the old password may have started a sign-in or had a browser remembered.
create function forget_proofs_of_old_password() returns trigger language plpgsql as $$
begin
  delete from remembered_browsers where user_id = new.user_id;
  delete from sign_in_challenges where user_id = new.user_id;
  return null;
end $$;

create trigger forget_proofs_of_old_password after insert or update of hash on passwords
  for each row execute function forget_proofs_of_old_password();
