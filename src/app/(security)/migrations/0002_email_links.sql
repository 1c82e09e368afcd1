-- rolling: safe
-- The newest of each user. The link and the code are two ways to use the same row.
create table sign_in_links (
  user_id uuid primary key references users (id) on delete cascade,
  -- Where it was sent.
  email text not null,
  token_hash bytea not null unique,
  -- The SHA-256 of a secret that only the browser that asked has.
  browser_hash bytea not null unique,
  -- An HMAC with a key from AUTH_SECRET.
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sign_in_links_expires_at_index on sign_in_links (expires_at);

-- The pending change of each user.
create table email_changes (
  user_id uuid primary key references users (id) on delete cascade,
  -- Another for each request.
  id uuid not null unique,
  email text not null,
  -- Null until the mail is sent, and for good if the email has an account.
  token_hash bytea unique,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index email_changes_expires_at_index on email_changes (expires_at);

-- What the old email can still undo.
create table email_undos (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  email text not null,
  -- Null until the mail is sent.
  token_hash bytea unique,
  changed_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index email_undos_user_id_index on email_undos (user_id);
create index email_undos_expires_at_index on email_undos (expires_at);

-- A thief who could read mail or knew the old password may have asked for them. What undoes a change
-- stays: a thief who chooses a new password must not take it away.
create function end_links_of_old_password() returns trigger language plpgsql as $$
begin
  delete from sign_in_links where user_id = new.user_id;
  delete from email_changes where user_id = new.user_id;
  return null;
end $$;

create trigger end_links_of_old_password after insert or update of hash on passwords
  for each row execute function end_links_of_old_password();

create function end_links_of_old_email() returns trigger language plpgsql as $$
begin
  delete from sign_in_links where user_id = new.id;
  delete from sign_in_challenges where user_id = new.id;
  return null;
end $$;

create trigger end_links_of_old_email after update of email on users
  for each row when (old.email is distinct from new.email)
  execute function end_links_of_old_email();
