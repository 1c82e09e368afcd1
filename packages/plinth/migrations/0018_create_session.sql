-- rolling: safe
-- Sessions are created in one place, whoever the user has proved to be and how.

create function create_session(
  of_user uuid, new_id uuid, new_token_hash bytea, lifetime_ms float8, proved_by text,
  proved_at timestamptz, from_ip text, with_user_agent text
) returns table (created timestamptz, expires timestamptz, authenticated timestamptz)
language sql as $$
  insert into sessions
    (id, token_hash, user_id, expires_at, authenticated_by, authenticated_at, ip, user_agent)
  values
    (new_id, new_token_hash, of_user, now() + lifetime_ms * interval '1 millisecond', proved_by,
      coalesce(proved_at, now()), from_ip, left(with_user_agent, 512))
  returning created_at, expires_at, authenticated_at
$$;

-- As in 0004, but for the insert.
create or replace function start_password_session(
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
  select session.created, session.expires into created, expires from create_session(
    of_user, new_id, new_token_hash, lifetime_ms, 'password', null, from_ip, with_user_agent
  ) session;
  ended := ended + end_excess_sessions(of_user, new_id, max_sessions, from_ip, in_request);
  insert into audit_events (action, outcome, actor_id, target_id, ip, request_id, details)
    values ('sign_in', 'success', of_user, of_user, from_ip, in_request, '{"by": "password"}');
  return next;
end
$$;
