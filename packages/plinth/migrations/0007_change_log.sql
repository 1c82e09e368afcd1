-- rolling: unsafe
-- Processes of the previous version wait for NOTIFY, which ends here: they would serve revoked sessions
-- for up to a minute.

-- What has changed, for the session caches of all processes. Each process reads the rows that were
-- committed since its last snapshot.
create table change_log (
  xid xid8 not null default pg_current_xact_id(),
  change text not null
);
create index change_log_xid_index on change_log (xid);

-- One row. Changes below `swept_below` are deleted. `next_boundary` is where the next sweep ends: no
-- process that has read the log since then needs the rows before it.
create table change_log_sweep (
  only_row boolean primary key default true check (only_row),
  swept_below xid8 not null,
  next_boundary xid8 not null,
  swept_at timestamptz(3) not null default now()
);
insert into change_log_sweep (swept_below, next_boundary)
  values (pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmin(pg_current_snapshot()));

-- The embedded database has one process, which gets its own changes as notifications.
create function log_change(change text) returns void language plpgsql as $$
begin
  if current_setting('plinth.notify', true) = 'on' then
    perform pg_notify('plinth_changes', change);
  else
    insert into change_log (change) values (log_change.change);
  end if;
end
$$;

-- `s` and a session id, `u` and a user id, or `*` for more than 200 changes.
create or replace function announce_changes() returns trigger language plpgsql as $$
begin
  if (select count(*) from changed) > 200 then
    perform log_change('*');
  else
    perform log_change(tg_argv[0] || id) from changed;
  end if;
  return null;
end
$$;

create or replace function announce_truncation() returns trigger language plpgsql as $$
begin
  perform log_change('*');
  return null;
end
$$;
