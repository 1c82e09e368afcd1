-- rolling: unsafe
-- The order of the list of invitations, which is in two tables: a page is read from the cursor on.
create index verification_tokens_invitation_index on verification_tokens (created_at, email)
  where purpose = 'invitation';
create index mail_queue_invitation_index on mail_queue (created_at, email)
  where purpose = 'invitation';
