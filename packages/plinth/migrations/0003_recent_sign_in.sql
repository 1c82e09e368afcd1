-- rolling: unsafe
-- When and how the user last proved who they are. Earlier sessions were created by a sign-in whose
-- method is not known. The defaults are for processes of the previous version.
alter table sessions
  add column authenticated_at timestamptz(3),
  add column authenticated_by text not null default 'unknown';
update sessions set authenticated_at = created_at;
alter table sessions
  alter column authenticated_at set default now(),
  alter column authenticated_at set not null;

-- The link in a mail about a linked or unlinked account, for an owner who did not do it.
alter table verification_tokens
  drop constraint verification_tokens_purpose_known,
  add constraint verification_tokens_purpose_known check (
    purpose in ('verify_email', 'reset_password', 'invitation', 'secure_account')
  );
