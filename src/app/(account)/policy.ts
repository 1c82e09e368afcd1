import { isSignedIn } from '@/core/guard/policy'

/** Every user, for their own account only. */
export const mayUseAccount = isSignedIn
