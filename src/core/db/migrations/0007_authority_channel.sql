-- Whoever remembers who somebody is has to be told when that is no longer so. The database tells,
-- at the moment a change is committed and whoever made it: `s` and the id of a session, `u` and that
-- of a person, or `*` when so many changed at once that everything is to be forgotten.
create function announce_changes() returns trigger language plpgsql as $$
begin
  if (select count(*) from changed) > 200 then
    perform pg_notify('plinth_authority', '*');
  else
    perform pg_notify('plinth_authority', tg_argv[0] || id) from changed;
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

-- Nothing is known of the rows that a truncation takes away. One of users is refused.
create function announce_truncation() returns trigger language plpgsql as $$
begin
  perform pg_notify('plinth_authority', '*');
  return null;
end
$$;

create trigger sessions_announce_truncate
  after truncate on sessions
  for each statement execute function announce_truncation();
