-- What it takes to list, search and count people in the time that a thousand take, when there are
-- a million. The reasons are in docs/decisions/0009-people-are-found-and-counted.md.

-- What people are searched by. The line break keeps a match from reaching from one into the other:
-- neither can hold it.
alter table users add column search text generated always as (email || E'\n' || lower(name)) stored;

-- Each order in which people are listed is an index, for all and within a role: a page is read from
-- where the one before it ended. The order by address is the unique index that there is already.
-- In the order that is usual, the searched text stands in the index itself, so that a search that
-- finds much reads nothing else.
create index users_created_at_index on users (created_at, id) include (search);
create index users_name_index on users (lower(name), id);
create index users_role_created_at_index on users (role, created_at, id) include (search);
create index users_role_name_index on users (role, lower(name), id);
create index users_role_email_index on users (role, email);

-- Any part of an address or a name. What has no three letters in a row to look up is compared with
-- the beginning of both.
create extension if not exists pg_trgm;
create index users_search_index on users using gin (search gin_trgm_ops);
create index users_email_prefix_index on users (email text_pattern_ops);
create index users_name_prefix_index on users (lower(name) text_pattern_ops);

-- How many people there are of each role, by the day on which they came. Every change adds a row
-- and touches none, so nobody waits for anybody; now and then fold_user_counts() makes few of many.
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

insert into user_counts (role, day, change)
  select role, (created_at at time zone 'UTC')::date, count(*) from users group by 1, 2;

-- In one statement, so that a reader sees the many or the few and never both. Days that no chart
-- reaches back to become one, so that what is left does not grow with the years. What another is
-- folding at the same moment is left to it.
create function fold_user_counts() returns void language sql as $$
  with folded as (
    delete from user_counts
    where ctid in (select ctid from user_counts for update skip locked)
      and (select count(*) from user_counts) > 1000
    returning role, change,
      case when day > (now() at time zone 'UTC')::date - 120 then day else '-infinity' end as day
  )
  insert into user_counts (role, day, change)
    select role, day, sum(change) from folded group by 1, 2 having sum(change) <> 0
$$;

-- The audit trail, newest first, by whatever it is searched for.
drop index audit_events_at_index;
drop index audit_events_actor_id_index;
drop index audit_events_action_index;
create index audit_events_at_index on audit_events (at, id);
create index audit_events_actor_id_index on audit_events (actor_id, at, id);
create index audit_events_target_id_index on audit_events (target_id, at, id);
create index audit_events_action_index on audit_events (action, at, id);
create index audit_events_refused_index on audit_events (outcome, at, id) where outcome <> 'success';
create index audit_events_sign_ins_index on audit_events (at, outcome) where action = 'sign_in';
