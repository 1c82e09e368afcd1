import { isAdmin, isEditor, isSignedIn } from '@/core/guard/policy'

/** Who may read what is published; drafts are for those who may write. */
export const mayRead = isSignedIn

/** Who may write: drafts, changes, publishing and taking back. */
export const mayWrite = isEditor

export const mayDelete = isAdmin
