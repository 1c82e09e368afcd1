-- rolling: safe
-- A sign-in in one round trip. Each statement of a function sees what was committed before it, as in a
-- transaction of several statements.

-- The least recently used sessions of a user beyond the limit end. Of concurrent sign-ins of one user,
-- each sees the sessions of those before it. Transactions that end several sessions lock them in
-- different orders: a locked one is ending or in use, and waiting for it could deadlock.
create function end_excess_sessions(
  of_user uuid, created_session uuid, max_sessions integer, from_ip text, in_request text
) returns integer language plpgsql as $$
declare
  excess uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('plinth.session-limit ' || of_user, 0));
  excess := array(
    select id from sessions where id in (
      select id from sessions
      where user_id = of_user and id <> created_session and expires_at > now()
      order by last_seen_at desc, created_at desc, id desc offset max_sessions - 1
    ) for update skip locked
  );
  if cardinality(excess) > 0 then
    delete from sessions where id = any(excess);
    insert into audit_events (action, outcome, actor_id, target_id, ip, request_id, details)
      values ('revoke_session', 'success', of_user, of_user, from_ip, in_request,
        jsonb_build_object('reason', 'too_many_sessions', 'count', cardinality(excess)));
  end if;
  return cardinality(excess);
end
$$;

-- No row if the password was changed or the account deleted since `verified_hash` was read. A password
-- change locks the user first. It has either committed when the lock is granted, or waits for this
-- transaction and then revokes this session with the others.
create function start_password_session(
  of_user uuid, verified_hash text, replaced_session uuid, new_id uuid, new_token_hash bytea,
  lifetime_ms float8, max_sessions integer, from_ip text, with_user_agent text, in_request text
) returns table (created timestamptz, expires timestamptz, ended integer) language plpgsql as $$
begin
  perform 1 from users where id = of_user for share;
  perform 1 from passwords where user_id = of_user and hash = verified_hash;
  if not found then
    return;
  end if;
  ended := 0;
  if replaced_session is not null then
    delete from sessions where id = replaced_session;
    ended := 1;
  end if;
  insert into sessions (id, token_hash, user_id, expires_at, authenticated_by, ip, user_agent)
    values (new_id, new_token_hash, of_user, now() + lifetime_ms * interval '1 millisecond',
      'password', from_ip, with_user_agent)
    returning created_at, expires_at into created, expires;
  ended := ended + end_excess_sessions(of_user, new_id, max_sessions, from_ip, in_request);
  insert into audit_events (action, outcome, actor_id, target_id, ip, request_id, details)
    values ('sign_in', 'success', of_user, of_user, from_ip, in_request, '{"by": "password"}');
  return next;
end
$$;
