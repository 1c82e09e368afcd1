import type { Role } from 'plinth/universal/users'
import type { Rejected } from '../../addresses'

export function sentText(sent: readonly string[], role: Role): string {
  const asRole = role === 'viewer' ? '' : ` as ${role}`
  return sent.length <= 3
    ? `Invitation sent to ${sent.join(', ')}${asRole}.`
    : `${sent.length} invitations sent${asRole}.`
}

/** Each with its reason. */
export function notSent(rejected: readonly Rejected[]): string {
  return `Not sent to ${rejected.map(({ email, reason }) => `${email} (${reason})`).join(', ')}.`
}
