type Named = { name: string; role: string }

type Parts = {
  others: readonly Named[]
  changed: readonly Named[]
  ownLeftOut: boolean
}

/** The outcome for each of the chosen users. */
export function roleSummary(parts: Parts, role: string, chosen: number): string {
  const { others, changed, ownLeftOut } = parts
  const [first] = changed
  const done =
    changed.length === 1 && first
      ? `Role of ${first.name} changed from ${first.role} to ${role}.`
      : `Role of ${changed.length} users changed to ${role}.`
  const unchanged = others.length - changed.length
  const missing = chosen - others.length - (ownLeftOut ? 1 : 0)
  return [
    done,
    unchanged > 0 && `${usersOf(unchanged)} already had it.`,
    ownLeftOut && leftOut,
    missing > 0 && `${usersOf(missing)} no longer ${missing === 1 ? 'exists' : 'exist'}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

export function sessionSummary(signedOut: readonly Named[], ownLeftOut: boolean): string {
  const [first] = signedOut
  const done =
    signedOut.length === 1 && first
      ? `Sessions of ${first.name} revoked.`
      : `Sessions of ${signedOut.length} users revoked.`
  return ownLeftOut ? `${done} ${leftOut}` : done
}

const leftOut = 'Your own account was left out.'

function usersOf(count: number): string {
  return count === 1 ? '1 user' : `${count} users`
}
