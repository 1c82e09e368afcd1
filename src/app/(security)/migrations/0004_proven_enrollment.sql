-- rolling: safe
alter table sign_in_challenges
  -- When a code from the mailbox has confirmed a sign-in with a provider, which may then add a factor.
  add column mailbox_proved_at timestamptz(3);
