-- rolling: unsafe
-- The table is locked while its key is built and its rows are checked: about a second for each million.

-- Audit events are in monthly partitions, so that old ones are dropped and not deleted row by row. Those
-- that exist are in one partition, until the end of the current month.
alter table audit_events rename to audit_events_before;
drop trigger audit_events_append_only on audit_events_before;
alter table audit_events_before alter column id drop identity;
alter table audit_events_before drop constraint audit_events_pkey;
alter index audit_events_at_index rename to audit_events_before_at_index;
alter index audit_events_actor_id_index rename to audit_events_before_actor_id_index;
alter index audit_events_target_id_index rename to audit_events_before_target_id_index;
alter index audit_events_action_index rename to audit_events_before_action_index;
alter index audit_events_denied_index rename to audit_events_before_denied_index;
alter index audit_events_sign_ins_index rename to audit_events_before_sign_ins_index;
-- The primary key has the same columns.
drop index audit_events_before_at_index;

create sequence audit_events_id_seq as bigint;
select setval('audit_events_id_seq', coalesce((select max(id) from audit_events_before), 0) + 1, false);

create table audit_events (
  id bigint not null default nextval('audit_events_id_seq'),
  at timestamptz(3) not null default now(),
  action text not null,
  outcome text not null,
  actor_id uuid,
  target_id text,
  ip text,
  request_id text,
  details jsonb not null default '{}',
  constraint audit_events_pkey primary key (at, id),
  constraint audit_events_outcome_known check (outcome in ('success', 'failure', 'denied'))
) partition by range (at);
alter sequence audit_events_id_seq owned by audit_events.id;
create index audit_events_actor_id_index on audit_events (actor_id, at, id);
create index audit_events_target_id_index on audit_events (target_id, at, id);
create index audit_events_action_index on audit_events (action, at, id);
create index audit_events_denied_index on audit_events (outcome, at, id) where outcome <> 'success';
create index audit_events_sign_ins_index on audit_events (at, outcome) where action = 'sign_in';

-- PostgreSQL copies the trigger for rows to each partition. Those for statements are of one table.
create trigger audit_events_append_only
  before update or delete or truncate on audit_events
  for each statement execute function reject_audit_event_change();
create trigger audit_events_rows_append_only
  before update or delete on audit_events
  for each row execute function reject_audit_event_change();

create function attach_audit_partition(partition regclass, bound text) returns void
language plpgsql security definer set search_path from current as $$
begin
  execute format('create trigger audit_events_append_only
    before update or delete or truncate on %s
    for each statement execute function reject_audit_event_change()', partition);
  execute format('alter table audit_events attach partition %s %s', partition, bound);
end
$$;

-- `ends` is null for the default partition.
create view audit_partitions as
  select relname::text as name,
    (regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'TO \(''([^'']+)''\)'))[1]::timestamptz as ends
  from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = 'audit_events'::regclass;

-- The rows of the default partition that belong into the new one are moved by building both anew: no
-- audit event is ever deleted from a table that guards them.
create function add_audit_partition() returns text
language plpgsql security definer set search_path from current as $$
declare
  lower_bound timestamptz := (select max(ends) from audit_partitions);
  upper_bound timestamptz := (lower_bound at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  name text := 'audit_events_' || to_char(lower_bound at time zone 'UTC', 'YYYY_MM');
  has_strays boolean := exists (
    select from audit_events_default where at >= lower_bound and at < upper_bound
  );
begin
  execute format('create table %I (like audit_events including defaults including constraints)', name);
  if has_strays then
    alter table audit_events detach partition audit_events_default;
    alter table audit_events_default rename to audit_events_strays;
    create table audit_events_default (like audit_events including defaults including constraints);
    execute format('insert into %I select * from audit_events_strays where at >= $1 and at < $2', name)
      using lower_bound, upper_bound;
    insert into audit_events_default
      select * from audit_events_strays where at < lower_bound or at >= upper_bound;
    drop table audit_events_strays;
  end if;
  perform attach_audit_partition(
    name::regclass, format('for values from (%L) to (%L)', lower_bound, upper_bound)
  );
  if has_strays then
    perform attach_audit_partition('audit_events_default', 'default');
  end if;
  return name;
end
$$;

-- Adds partitions up to two months ahead, and drops those whose events are all older than `kept`. It is
-- the only way to remove audit events. Returns the names of the partitions that it added and dropped.
create function maintain_audit_events(kept interval default null)
returns table (added text[], dropped text[])
language plpgsql security definer set search_path from current as $$
declare
  ahead timestamptz := (date_trunc('month', now() at time zone 'UTC') + interval '3 months')
    at time zone 'UTC';
  old_partition text;
begin
  if kept < interval '30 days' then
    raise exception 'audit events are kept for at least 30 days' using errcode = 'PL003';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('plinth.audit-partitions', 0));
  -- Requests wait behind this lock, so it is given up soon. The next run tries again.
  perform set_config('lock_timeout', '500ms', true);
  added := '{}';
  dropped := '{}';
  while (select max(ends) from audit_partitions) < ahead loop
    added := added || add_audit_partition();
  end loop;
  for old_partition in select name from audit_partitions where ends <= now() - kept order by ends loop
    execute format('alter table audit_events detach partition %I', old_partition);
    execute format('drop table %I', old_partition);
    dropped := dropped || old_partition;
  end loop;
  return next;
end
$$;

-- For a role of the app that does not own the tables.
revoke all on function attach_audit_partition, add_audit_partition from public;

do $$
declare
  next_month timestamptz := (date_trunc('month', now() at time zone 'UTC') + interval '1 month')
    at time zone 'UTC';
begin
  perform attach_audit_partition(
    'audit_events_before', format('for values from (minvalue) to (%L)', next_month)
  );
end
$$;
create table audit_events_default (like audit_events including defaults including constraints);
select attach_audit_partition('audit_events_default', 'default');
select maintain_audit_events();
