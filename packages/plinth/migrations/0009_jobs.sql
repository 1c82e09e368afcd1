-- rolling: safe
-- Work that a process does in the background. A claim is a due date in the future, with `started_at`.
create table jobs (
  id bigint primary key generated always as identity,
  name text not null,
  data jsonb not null default '{}',
  key text,
  created_at timestamptz(3) not null default now(),
  due_at timestamptz(3) not null default now(),
  attempts integer not null default 0,
  started_at timestamptz(3),
  failed_at timestamptz(3),
  -- Of the last failed attempt.
  reason text,
  constraint jobs_name_short check (length(name) <= 100),
  constraint jobs_key_short check (length(key) <= 200),
  constraint jobs_data_small check (
    jsonb_typeof(data) = 'object' and octet_length(data::text) <= 10000
  ),
  constraint jobs_reason_short check (length(reason) <= 1000),
  constraint jobs_failed_not_started check (failed_at is null or started_at is null)
);
-- Of the jobs with one name and one key, only one waits or runs.
create unique index jobs_name_key_key on jobs (name, key) where failed_at is null;
create index jobs_due_at_index on jobs (due_at) where failed_at is null;
create index jobs_failed_at_index on jobs (failed_at, id) where failed_at is not null;

create table job_schedules (
  name text primary key,
  -- A cron expression.
  schedule text not null,
  time_zone text not null,
  next_at timestamptz(3) not null,
  last_ended_at timestamptz(3),
  last_outcome text check (last_outcome in ('success', 'failure'))
);
