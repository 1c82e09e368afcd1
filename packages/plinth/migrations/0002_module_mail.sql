-- rolling: unsafe
-- Modules queue mail of their own purposes, with the ids of what it is about: `data`, never a text or
-- a secret. Processes of the previous version insert without `data` while they are replaced.
alter table mail_queue
  drop constraint mail_queue_purpose_known,
  add column data jsonb not null default '{}',
  add constraint mail_queue_data_small check (
    jsonb_typeof(data) = 'object' and octet_length(data::text) <= 1000
  );

-- The same message to the same recipient is queued once.
create unique index mail_queue_purpose_email_data_key on mail_queue (purpose, email, data);
drop index mail_queue_purpose_email_key;
