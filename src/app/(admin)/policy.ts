import { isAdmin } from '@/core/guard/policy'

/** Managing other users and reading the audit log. */
export const mayAdminister = isAdmin
