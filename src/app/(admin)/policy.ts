import { isAdmin } from 'plinth/guard/policy'

/** Managing other users and reading the audit log. */
export const mayAdminister = isAdmin
