import { type ActionError, refuse } from 'plinth/universal/action-result'
import type { Role } from 'plinth/universal/users'

export function unchangedRole(role: Role): ActionError {
  return refuse('conflict', `No change: already ${role}.`)
}

/** An admin who gives up the role cannot take it back, so they confirm it first. */
export function ownDemotionError(
  role: Role,
  confirmed: boolean | undefined,
): ActionError | undefined {
  if (role === 'admin' || confirmed) return undefined
  const message = 'Confirm that you give up the admin role.'
  return refuse('invalid', message, [{ field: 'confirmed', message }])
}
