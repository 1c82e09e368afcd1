-- rolling: unsafe
-- Links that undid a change of the email open a recovery.
insert into account_changes
  (id, user_id, at, email, new_email, link, token_hash, delivered_at, ends_at)
  select undo.id, undo.user_id, undo.changed_at, undo.email,
    coalesce(
      (select next.email from email_undos next
        where next.user_id = undo.user_id and next.changed_at > undo.changed_at
        order by next.changed_at limit 1),
      users.email
    ),
    'open', undo.token_hash,
    case when undo.token_hash is not null then undo.changed_at end, undo.expires_at
  from email_undos undo join users on users.id = undo.user_id
  where undo.expires_at > now()
  order by undo.changed_at;
drop table email_undos;

-- Notices that were not sent yet. Those of changes get a link for a recovery. An email from which the
-- account was taken back needs no notice.
update mail_queue set purpose = 'account_changed' where purpose = 'security.email_changed';
update failed_mail set purpose = 'account_changed' where purpose = 'security.email_changed';
update mail_queue
  set purpose = 'account_changed', data = jsonb_build_object('changeId', gen_random_uuid())
  where purpose = 'security.notice' and data ->> 'kind' in
    ('app_added', 'app_removed', 'codes_created', 'passkey_added', 'passkey_removed');
update failed_mail
  set purpose = 'account_changed', data = jsonb_build_object('changeId', gen_random_uuid())
  where purpose = 'security.notice' and data ->> 'kind' in
    ('app_added', 'app_removed', 'codes_created', 'passkey_added', 'passkey_removed');
delete from mail_queue where purpose = 'security.notice' and data ->> 'kind' = 'email_restored';
delete from failed_mail where purpose = 'security.notice' and data ->> 'kind' = 'email_restored';
insert into account_changes (id, user_id, at, email, new_email, link, ends_at)
  select (mail.data ->> 'changeId')::uuid, users.id, mail.created_at, mail.email, mail.email, 'open',
    mail.created_at + interval '8 days'
  from (
    select email, data, created_at, purpose from mail_queue
    union all select email, data, created_at, purpose from failed_mail
  ) as mail join users on users.email = mail.email
  where mail.purpose = 'account_changed'
  order by mail.created_at
  on conflict do nothing;

-- What is newer counts as added since, as in the migration of core.
update account_changes as change set
  added = (
    select coalesce(jsonb_agg(distinct method), '[]') from (
      select jsonb_array_elements(change.added) as method
      union all
      select jsonb_build_object(
        'kind', 'provider', 'id', provider || ' ' || provider_account_id, 'name', provider
      )
      from accounts
      where user_id = change.user_id and created_at > change.at - interval '4 hours'
      union all
      select jsonb_build_object(
        'kind', 'password', 'id', left(encode(sha256(hash::bytea), 'hex'), 32), 'name', null
      )
      from passwords
      where user_id = change.user_id and updated_at > change.at - interval '4 hours'
      union all
      select jsonb_build_object('kind', 'passkey', 'id', id, 'name', name) from passkeys
      where user_id = change.user_id and created_at > change.at - interval '4 hours'
      union all
      select jsonb_build_object(
        'kind', 'app', 'name', null,
        'id', to_char(confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )
      from authenticator_apps
      where user_id = change.user_id and confirmed_at > change.at - interval '4 hours'
      union all
      select distinct jsonb_build_object(
        'kind', 'codes', 'name', null,
        'id', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      )
      from recovery_codes
      where user_id = change.user_id and used_at is null
        and created_at > change.at - interval '4 hours'
    ) as methods
  ),
  removed = (
    select coalesce(jsonb_agg(jsonb_build_object('kind', 'password', 'id', 'unknown', 'name', null)), '[]')
    from passwords
    where user_id = change.user_id and updated_at > change.at - interval '4 hours'
  )
  where change.at < (
    select applied_at from plinth_migrations
    where owner = 'core' and name = '0014_account_recovery'
  );

-- A frozen account has no pending sign-in, link or change of its email, and none that was asked for
-- while it was frozen remains.
create function end_pending_of_frozen_account() returns trigger language plpgsql as $$
declare
  frozen uuid := coalesce(new.user_id, old.user_id);
begin
  delete from sign_in_links where user_id = frozen;
  delete from sign_in_challenges where user_id = frozen;
  delete from passkey_challenges where user_id = frozen;
  delete from email_changes where user_id = frozen;
  return null;
end $$;

create trigger end_pending_of_frozen_account after insert or delete on recoveries
  for each row execute function end_pending_of_frozen_account();

-- The first proof of a sign-in is refused already.
create trigger refuse_challenge_of_frozen_account after insert on sign_in_challenges
  for each row execute function refuse_session_of_frozen_account();
