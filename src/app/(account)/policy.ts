import { isSignedIn } from 'plinth/guard/policy'

/** Every user, for their own account only. */
export const mayUseAccount = isSignedIn
