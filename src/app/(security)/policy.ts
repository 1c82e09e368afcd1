import { isAdmin, isSignedIn } from '@/core/guard/policy'

/** Every user, for their own account only. */
export const mayUseSecurity = isSignedIn

export const mayResetFactors = isAdmin
