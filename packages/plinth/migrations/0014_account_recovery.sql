-- rolling: safe
-- One row for each change of a sign-in method, while its link or an earlier one of the user lives. No
-- foreign key: the history of a deleted account can bring it back.
create table account_changes (
  id uuid primary key default gen_random_uuid(),
  -- Transactions that wait for each other may begin in another order.
  position bigint generated always as identity,
  user_id uuid not null,
  at timestamptz(3) not null,
  -- Before the change. The notice goes there.
  email text not null,
  new_email text not null,
  -- Kind, id and name of each method, without secrets.
  added jsonb not null default '[]',
  removed jsonb not null default '[]',
  -- The rows of the removed methods, encrypted with a key from AUTH_SECRET.
  removed_rows bytea,
  key_id text,
  changed_by text not null default 'user',
  confirmed boolean not null default false,
  -- It deleted the account, whose rows are in deleted_account_rows.
  deletes boolean not null default false,
  link text not null,
  -- Null until the notice is sent.
  token_hash bytea unique,
  delivered_at timestamptz(3),
  held_until timestamptz(3),
  -- The end of the link, also of one that was ended before; null without a link.
  ends_at timestamptz(3),
  constraint account_changes_by_known check (changed_by in ('user', 'admin')),
  constraint account_changes_link_known check (link in ('none', 'open', 'ended')),
  constraint account_changes_key check ((removed_rows is null) = (key_id is null))
);
create index account_changes_user_id_index on account_changes (user_id, position);
create index account_changes_email_index on account_changes (email);
create index account_changes_ends_at_index on account_changes (ends_at);

-- While a row exists the account is frozen. No foreign key: a deleted account can come back.
create table recoveries (
  user_id uuid primary key,
  opened_at timestamptz(3) not null,
  -- The emails whose links have opened it. If an admin has decided, the one that may complete it.
  opened_by text[] not null,
  state text not null,
  ready_at timestamptz(3) not null,
  -- The emails of the window were reminded of the end of the wait.
  reminded boolean not null default false,
  constraint recoveries_state_known check (state in ('waiting', 'admin', 'allowed'))
);
create index recoveries_ready_at_index on recoveries (ready_at);

-- A link for each email of the window.
create table recovery_links (
  token_hash bytea primary key,
  user_id uuid not null references recoveries (user_id) on delete cascade,
  email text not null,
  unique (user_id, email)
);

-- Proofs that a browser has given, until the recovery ends.
create table recovery_proofs (
  user_id uuid not null references recoveries (user_id) on delete cascade,
  -- The SHA-256 of a secret in a cookie.
  browser_hash bytea not null,
  method_kind text not null,
  method_id text not null,
  primary key (user_id, browser_hash, method_kind, method_id)
);

-- Fires after the check of the foreign key, which waits for a transaction that freezes the account.
create function refuse_session_of_frozen_account() returns trigger language plpgsql as $$
begin
  if exists (select 1 from recoveries where user_id = new.user_id) then
    raise exception 'The account is frozen until its recovery ends.' using errcode = 'PL004';
  end if;
  return null;
end $$;

create trigger refuse_session_of_frozen_account after insert on sessions
  for each row execute function refuse_session_of_frozen_account();

-- An email that was left belongs to the account while a link to it is alive, and that of a deleted
-- account while any of its links is. A recovery that is open keeps them alive.
create function email_is_reserved(wanted text, for_user uuid) returns boolean language sql stable as $$
  select exists (
    select from account_changes as former join account_changes as live using (user_id)
    where former.email = wanted and former.user_id is distinct from for_user
      and (former.id = live.id or former.deletes) and live.link = 'open' and (
        live.ends_at > now()
        or exists (select from recoveries where recoveries.user_id = live.user_id)
      )
  )
$$;

-- Fires after the check of the unique index, which waits for a transaction that leaves the email.
create function refuse_reserved_email() returns trigger language plpgsql as $$
begin
  if email_is_reserved(new.email, new.id) then
    raise exception 'The email is reserved.'
      using errcode = 'unique_violation', constraint = 'users_email_key';
  end if;
  return null;
end $$;

create trigger refuse_reserved_email after insert or update of email on users
  for each row execute function refuse_reserved_email();

-- Live links of the former "secure my account" open a recovery.
insert into account_changes
  (user_id, at, email, new_email, link, token_hash, delivered_at, ends_at)
  select user_id, created_at, email, email, 'open', token_hash, created_at, expires_at
  from verification_tokens
  where purpose = 'secure_account' and user_id is not null and expires_at > now()
  order by created_at;

-- Notices that were not sent yet, or were given up: 0016 and 0017 give them the ids of these changes.
insert into account_changes (id, user_id, at, email, new_email, link, ends_at)
  select md5('plinth.notice ' || mail.id)::uuid, users.id, mail.created_at, mail.email, mail.email,
    'open', mail.created_at + interval '8 days'
  from (
    select id, email, purpose, created_at from mail_queue
    union all select id, email, purpose, created_at from failed_mail
  ) as mail join users on users.email = mail.email
  where mail.purpose in ('password_changed', 'account_linked', 'account_unlinked')
  order by mail.created_at;

-- It is not known what these changes added. What is newer than the mail, or at most so much older
-- that the mail was late, counts as added.
update account_changes as change set
  added = (
    select coalesce(jsonb_agg(method), '[]') from (
      select jsonb_build_object(
        'kind', 'provider', 'id', provider || ' ' || provider_account_id, 'name', provider
      ) as method
      from accounts
      where user_id = change.user_id and created_at > change.at - interval '4 hours'
      union all
      select jsonb_build_object(
        'kind', 'password', 'id', left(encode(sha256(hash::bytea), 'hex'), 32), 'name', null
      )
      from passwords
      where user_id = change.user_id and updated_at > change.at - interval '4 hours'
    ) as methods
  ),
  -- It cannot be proved, but a new one has to be set.
  removed = (
    select coalesce(jsonb_agg(jsonb_build_object('kind', 'password', 'id', 'unknown', 'name', null)), '[]')
    from passwords
    where user_id = change.user_id and updated_at > change.at - interval '4 hours'
  );
