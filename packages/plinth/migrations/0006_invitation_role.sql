-- rolling: unsafe
-- The role of the account that an invitation creates. Links of other purposes have none.
alter table verification_tokens
  add column role text,
  add constraint verification_tokens_role_known check (
    role is null or (purpose = 'invitation' and role in ('viewer', 'editor', 'admin'))
  );
