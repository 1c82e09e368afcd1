import { roles } from '@/core/config/users'
import { needsSession, type Operation } from './open-api'

/** Who may call an operation. */
export function accessText(operation: Operation): string {
  if (operation.security.length === 0) return 'Anyone.'
  if (!needsSession(operation)) return 'Anyone. The response depends on the session.'
  const allowed = operation['x-roles'] ?? []
  if (allowed.length === roles.length) return 'Signed-in users.'
  if (allowed.length === 0) return 'Signed-in users whom its policy allows.'
  return `Signed-in users with the role ${allowed.join(' or ')}.`
}
