import { isAdmin, isSignedIn } from 'plinth/guard/policy'

/** Every user, for their own account only. */
export const mayUseSecurity = isSignedIn

export const mayResetFactors = isAdmin
