/** The least role that may run each action. */
export const actionRoles = {
  requestSignUp: 'anonymous',
  createAccount: 'anonymous',
  requestPasswordReset: 'anonymous',
  resetPassword: 'anonymous',
  secureAccount: 'anonymous',
  confirmIdentity: 'viewer',
  updateProfile: 'viewer',
  updatePreferences: 'viewer',
  changePassword: 'viewer',
  sendPasswordLink: 'viewer',
  revokeSession: 'viewer',
  revokeOtherSessions: 'viewer',
  unlinkAccount: 'viewer',
  deleteAccount: 'viewer',
  createArticle: 'editor',
  saveArticle: 'editor',
  publishArticle: 'editor',
  unpublishArticle: 'editor',
  deleteArticle: 'admin',
  listUsers: 'admin',
  updateUserRole: 'admin',
  deleteUser: 'admin',
  revokeUserSession: 'admin',
  revokeAllUserSessions: 'admin',
  inviteUser: 'admin',
  cancelInvitation: 'admin',
}

/** Valid fields, which would harm the victim or promote the caller. */
export function actionInputs({ victim, article, caller }) {
  const password = 'a password of the attacker'
  const change = { id: article, version: 1, title: 'Changed', body: 'Changed' }
  return {
    confirmIdentity: { currentPassword: victim.password, callbackUrl: '/' },
    updateProfile: { name: 'Changed', role: 'admin', id: victim.id, userId: victim.id },
    updatePreferences: { timeZone: 'Asia/Tokyo', theme: 'dark', userId: victim.id },
    changePassword: { currentPassword: victim.password, newPassword: password },
    sendPasswordLink: { purpose: 'set_password' },
    revokeSession: { sessionId: victim.sessionId ?? victim.id },
    revokeOtherSessions: { userId: victim.id },
    unlinkAccount: { provider: 'github', userId: victim.id },
    deleteAccount: { confirmation: victim.email, currentPassword: victim.password },
    createArticle: { title: 'Created', body: 'Created', authorId: victim.id },
    saveArticle: change,
    publishArticle: { id: article },
    unpublishArticle: { id: article },
    deleteArticle: { id: article },
    listUsers: { query: '', limit: 100 },
    updateUserRole: { userId: caller.id ?? victim.id, role: 'admin' },
    deleteUser: { userId: victim.id },
    revokeUserSession: { userId: victim.id, sessionId: victim.sessionId ?? victim.id },
    revokeAllUserSessions: { userId: victim.id },
    inviteUser: { email: 'invited@example.com', role: 'admin' },
    cancelInvitation: { email: 'invited@example.com' },
  }
}
