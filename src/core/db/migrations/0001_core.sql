-- The rules that must hold whoever writes to this database stand here, not in the application.

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  role text not null default 'viewer',
  email_verified_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint users_email_normalised check (
    email = lower(normalize(email, NFKC))
    and email ~ '^[^[:space:][:cntrl:]@]+@[^[:space:][:cntrl:]@]+$'
    and char_length(email) <= 254
  ),
  constraint users_name_length check (
    name ~ '[^[:space:]]' and name !~ '[[:cntrl:]]' and char_length(name) <= 100
  ),
  constraint users_role_known check (role in ('viewer', 'editor', 'admin'))
);
create unique index users_email_key on users (email);
create index users_admin_index on users (id) where role = 'admin';

create table passwords (
  user_id uuid primary key references users (id) on delete cascade,
  hash text not null,
  updated_at timestamptz(3) not null default now(),
  constraint passwords_hash_argon2id check (hash like '$argon2id$%')
);

create table accounts (
  provider text not null,
  provider_account_id text not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (provider, provider_account_id)
);
create unique index accounts_user_id_provider_key on accounts (user_id, provider);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  address text,
  user_agent text,
  constraint sessions_token_hash_sha256 check (octet_length(token_hash) = 32),
  -- The absolute lifetime: no extension reaches beyond it. The second is for clocks that differ.
  constraint sessions_absolute_lifetime check (expires_at <= created_at + interval '90 days 1 second')
);
create unique index sessions_token_hash_key on sessions (token_hash);
create index sessions_user_id_index on sessions (user_id);
create index sessions_expires_at_index on sessions (expires_at);

create table verification_tokens (
  token_hash bytea primary key,
  purpose text not null,
  email text not null,
  user_id uuid references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint verification_tokens_token_hash_sha256 check (octet_length(token_hash) = 32),
  constraint verification_tokens_purpose_known check (
    purpose in ('verify_email', 'reset_password', 'invitation')
  )
);
create index verification_tokens_email_index on verification_tokens (email);
create index verification_tokens_user_id_index on verification_tokens (user_id);
create index verification_tokens_expires_at_index on verification_tokens (expires_at);

-- Who did it and to whom are kept as values: the trail outlives the people in it.
create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  action text not null,
  outcome text not null,
  actor_id uuid,
  target_id text,
  address text,
  request_id text,
  details jsonb not null default '{}',
  constraint audit_events_outcome_known check (outcome in ('success', 'failure', 'denied'))
);
create index audit_events_at_index on audit_events (at);
create index audit_events_actor_id_index on audit_events (actor_id);
create index audit_events_action_index on audit_events (action);

create function refuse_change_of_audit_events() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are append-only' using errcode = 'PL002';
end
$$;

create trigger audit_events_append_only
  before update or delete or truncate on audit_events
  for each statement execute function refuse_change_of_audit_events();

-- The last admin stays. Before the statement touches a row it takes a lock that every other such
-- statement waits for, so of two admins who demote each other the second sees what the first did.
-- The look afterwards locks the row it finds: under repeatable read a row that has changed since
-- the snapshot then fails the transaction instead of being believed.
create function wait_for_other_changes_of_admins() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('plinth.last_admin', 0));
  return null;
end
$$;

create function refuse_loss_of_last_admin() returns trigger language plpgsql as $$
begin
  perform 1 from users where role = 'admin' limit 1 for share;
  if not found then
    raise exception 'the last admin can be neither demoted nor deleted' using errcode = 'PL001';
  end if;
  return null;
end
$$;

create trigger users_last_admin_update_lock
  before update of role on users
  for each statement execute function wait_for_other_changes_of_admins();
create trigger users_last_admin_delete_lock
  before delete on users
  for each statement execute function wait_for_other_changes_of_admins();
create trigger users_last_admin_update
  after update of role on users
  for each row when (old.role = 'admin' and new.role <> 'admin')
  execute function refuse_loss_of_last_admin();
create trigger users_last_admin_delete
  after delete on users
  for each row when (old.role = 'admin')
  execute function refuse_loss_of_last_admin();

create function refuse_truncation_of_users() returns trigger language plpgsql as $$
begin
  raise exception 'the last admin can be neither demoted nor deleted' using errcode = 'PL001';
end
$$;

create trigger users_last_admin_truncate
  before truncate on users
  for each statement execute function refuse_truncation_of_users();
