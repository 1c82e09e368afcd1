import type { Recovery } from 'plinth/recovery/recovery'
import type { EmailRow } from '../../../../ui/users/recovery-tables'

type Given = {
  recovery: Recovery
  /** That before the changes first. */
  emails: readonly string[]
  /** Undefined if the account is deleted. */
  current: string | undefined
}

export function emailRows({ recovery, emails, current }: Given): EmailRow[] {
  return emails.map((email, index) => {
    const places = [
      ...(index === 0 ? ['Before the changes'] : []),
      ...(email === current ? ['Now'] : []),
    ]
    return {
      email,
      place: places.join(', ') || 'In between',
      status: statusOf(recovery, email),
    }
  })
}

function statusOf({ state, openedBy }: Recovery, email: string): string {
  if (!openedBy.includes(email)) return 'Has not answered'
  if (state === 'allowed') return 'Allowed'
  return openedBy[0] === email ? 'Opened it' : 'Objected'
}
