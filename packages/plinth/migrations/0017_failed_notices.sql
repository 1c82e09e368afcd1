-- rolling: safe
-- transaction: batch
update failed_mail
  set purpose = 'account_changed',
    data = jsonb_build_object('changeId', md5('plinth.notice ' || id)::uuid)
  where id in (
    select id from failed_mail
    where purpose in ('password_changed', 'account_linked', 'account_unlinked') order by id limit $1
  );
