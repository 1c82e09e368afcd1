import { isAdmin } from '@/core/guard/policy'

/** Who may see and change other people, and read the trail of what everybody did. */
export const mayAdminister = isAdmin
