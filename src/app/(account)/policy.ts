import { isSignedIn } from '@/core/guard/policy'

/** Everybody has an account page, and on it their own account and no other. */
export const mayUseAccount = isSignedIn
