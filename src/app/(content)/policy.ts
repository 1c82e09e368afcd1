import { isAdmin, isEditor, isSignedIn } from 'plinth/guard/policy'

/** Published articles; drafts need `mayWrite`. */
export const mayRead = isSignedIn

/** Create, edit, publish and unpublish. */
export const mayWrite = isEditor

export const mayDelete = isAdmin
