-- rolling: safe
-- Mail that was given up after its last attempt, until it is queued again, deleted or a month old.
create table failed_mail (
  id bigint primary key,
  purpose text not null,
  email text not null,
  data jsonb not null,
  created_at timestamptz(3) not null,
  attempts integer not null,
  failed_at timestamptz(3) not null default now(),
  -- Of the last attempt.
  reason text not null,
  constraint failed_mail_reason_short check (length(reason) <= 1000)
);
create index failed_mail_failed_at_index on failed_mail (failed_at, id);
create index failed_mail_email_index on failed_mail (email);
