-- What is still to be sent: to whom and why, never the words. The link of a message is made when it
-- is sent and only its hash is stored, so that a copy of this table signs nobody in.

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
-- One message of a kind that waits for a mailbox is enough: the link of a second would replace the
-- first's.
create unique index mail_queue_purpose_email_key on mail_queue (purpose, email);
create index mail_queue_due_at_index on mail_queue (due_at);

-- One link of a kind for an address, also when two are made at once: a new one takes its place.
create unique index verification_tokens_purpose_email_key on verification_tokens (purpose, email);
