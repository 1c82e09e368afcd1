/** By the value of `?done=`. */
export const accountMessages = (email: string) => ({
  profile_updated: 'Profile saved.',
  password_changed: 'Password changed. You were signed out on your other devices.',
  link_sent: `We sent an email to ${email}. Use the link in it to set a password. It expires in one hour.`,
  session_revoked: 'Session revoked.',
  sessions_revoked: 'All other sessions revoked.',
  account_linked: 'Account linked. You can now use it to sign in.',
  account_unlinked: 'Account unlinked. You can no longer use it to sign in.',
})
