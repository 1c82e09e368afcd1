-- rolling: safe
-- Rules that must hold for every writer are constraints and triggers of the database.

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  role text not null default 'viewer',
  email_verified_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- For searches. Neither part can contain a line break, so no match spans both.
  search text generated always as (email || E'\n' || lower(name)) stored,
  constraint users_email_normalized check (
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

-- One index per sort order, for all users and within a role: a page is read from the cursor on. The
-- default order includes the searched text, so that a frequent match is found in the index alone.
-- Reasons and measurements: docs/decisions/0009-user-lists-at-scale.md.
create index users_created_at_index on users (created_at, id) include (search);
create index users_name_index on users (lower(name), id);
create index users_role_created_at_index on users (role, created_at, id) include (search);
create index users_role_name_index on users (role, lower(name), id);
create index users_role_email_index on users (role, email);

-- Any part of an email or a name. A query without three letters in a row matches prefixes only.
create extension if not exists pg_trgm;
create index users_search_index on users using gin (search gin_trgm_ops);
create index users_email_prefix_index on users (email text_pattern_ops);
create index users_name_prefix_index on users (lower(name) text_pattern_ops);

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
  ip text,
  user_agent text,
  constraint sessions_token_hash_sha256 check (octet_length(token_hash) = 32),
  -- The absolute lifetime. The extra second allows for clock differences.
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
-- A new link replaces the earlier one for the same purpose and email.
create unique index verification_tokens_purpose_email_key on verification_tokens (purpose, email);
create index verification_tokens_email_index on verification_tokens (email);
create index verification_tokens_user_id_index on verification_tokens (user_id);
create index verification_tokens_expires_at_index on verification_tokens (expires_at);

-- Purpose and recipient of unsent mail, never its text. The link is created when the mail is sent,
-- so a copy of this table signs no one in.
create table mail_queue (
  id bigint generated always as identity primary key,
  purpose text not null,
  email text not null,
  created_at timestamptz(3) not null default now(),
  attempts integer not null default 0,
  due_at timestamptz(3) not null default now(),
  constraint mail_queue_purpose_known check (
    purpose in ('sign_up', 'reset_password', 'password_changed', 'invitation')
  )
);
create unique index mail_queue_purpose_email_key on mail_queue (purpose, email);
create index mail_queue_due_at_index on mail_queue (due_at);

-- Counts that several instances share. It can be emptied at any time.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire_index on rate_limits (expire);

-- Actor and target are values without foreign keys: the audit log outlives the users in it.
create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  action text not null,
  outcome text not null,
  actor_id uuid,
  target_id text,
  ip text,
  request_id text,
  details jsonb not null default '{}',
  constraint audit_events_outcome_known check (outcome in ('success', 'failure', 'denied'))
);
create index audit_events_at_index on audit_events (at, id);
create index audit_events_actor_id_index on audit_events (actor_id, at, id);
create index audit_events_target_id_index on audit_events (target_id, at, id);
create index audit_events_action_index on audit_events (action, at, id);
create index audit_events_denied_index on audit_events (outcome, at, id) where outcome <> 'success';
create index audit_events_sign_ins_index on audit_events (at, outcome) where action = 'sign_in';

create function reject_audit_event_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are append-only' using errcode = 'PL002';
end
$$;

create trigger audit_events_append_only
  before update or delete or truncate on audit_events
  for each statement execute function reject_audit_event_change();

-- The last admin cannot be demoted or deleted. Each statement that could do so takes one lock before
-- it touches a row, so of two admins who demote each other the second sees the first's change. Under
-- read committed that lock is enough, and a row lock could deadlock. Under repeatable read the row
-- lock makes the transaction fail if the row has changed since the snapshot.
create function lock_admins() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('plinth.last_admin', 0));
  return null;
end
$$;

create function reject_loss_of_last_admin() returns trigger language plpgsql as $$
begin
  if current_setting('transaction_isolation') = 'read committed' then
    perform 1 from users where role = 'admin' limit 1;
  else
    perform 1 from users where role = 'admin' limit 1 for share;
  end if;
  if not found then
    raise exception 'the last admin cannot be demoted or deleted' using errcode = 'PL001';
  end if;
  return null;
end
$$;

create trigger users_last_admin_update_lock
  before update of role on users
  for each statement execute function lock_admins();
create trigger users_last_admin_delete_lock
  before delete on users
  for each statement execute function lock_admins();
create trigger users_last_admin_update
  after update of role on users
  for each row when (old.role = 'admin' and new.role <> 'admin')
  execute function reject_loss_of_last_admin();
create trigger users_last_admin_delete
  after delete on users
  for each row when (old.role = 'admin')
  execute function reject_loss_of_last_admin();

create function reject_truncation_of_users() returns trigger language plpgsql as $$
begin
  raise exception 'the last admin cannot be demoted or deleted' using errcode = 'PL001';
end
$$;

create trigger users_last_admin_truncate
  before truncate on users
  for each statement execute function reject_truncation_of_users();

-- The number of users by role and day of creation, as a sum of changes. A change adds a row and
-- locks none. compact_user_counts() sums the rows up.
create table user_counts (
  role text not null,
  day date not null,
  change bigint not null
);

create function count_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into user_counts (role, day, change)
      select role, (created_at at time zone 'UTC')::date, count(*) from after group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into user_counts (role, day, change)
      select role, (created_at at time zone 'UTC')::date, -count(*) from before group by 1, 2;
  else
    insert into user_counts (role, day, change)
      select role, day, sum(change) from (
        select role, (created_at at time zone 'UTC')::date as day, -1 as change from before
        union all
        select role, (created_at at time zone 'UTC')::date, 1 from after
      ) changes
      group by 1, 2 having sum(change) <> 0;
  end if;
  return null;
end
$$;

create trigger users_count_insert after insert on users
  referencing new table as after for each statement execute function count_users();
create trigger users_count_update after update on users
  referencing old table as before new table as after for each statement execute function count_users();
create trigger users_count_delete after delete on users
  referencing old table as before for each statement execute function count_users();

-- One statement, so that readers see the rows before or after, never both. Days older than 120 days
-- become one. Rows that another process compacts at the same time are skipped.
create function compact_user_counts() returns void language sql as $$
  with compacted as (
    delete from user_counts
    where ctid in (select ctid from user_counts for update skip locked)
      and (select count(*) from user_counts) > 1000
    returning role, change,
      case when day > (now() at time zone 'UTC')::date - 120 then day else '-infinity' end as day
  )
  insert into user_counts (role, day, change)
    select role, day, sum(change) from compacted group by 1, 2 having sum(change) <> 0
$$;

-- Invalidates the session caches of all processes when a change is committed: `s` and a session id,
-- `u` and a user id, or `*` for more than 200 changes.
create function announce_changes() returns trigger language plpgsql as $$
begin
  if (select count(*) from changed) > 200 then
    perform pg_notify('plinth_sessions', '*');
  else
    perform pg_notify('plinth_sessions', tg_argv[0] || id) from changed;
  end if;
  return null;
end
$$;

create trigger sessions_announce_update
  after update on sessions
  referencing old table as changed
  for each statement execute function announce_changes('s');
create trigger sessions_announce_delete
  after delete on sessions
  referencing old table as changed
  for each statement execute function announce_changes('s');
create trigger users_announce_update
  after update on users
  referencing old table as changed
  for each statement execute function announce_changes('u');
create trigger users_announce_delete
  after delete on users
  referencing old table as changed
  for each statement execute function announce_changes('u');

-- A truncation has no transition table. One of users is rejected above.
create function announce_truncation() returns trigger language plpgsql as $$
begin
  perform pg_notify('plinth_sessions', '*');
  return null;
end
$$;

create trigger sessions_announce_truncate
  after truncate on sessions
  for each statement execute function announce_truncation();
