import { CommandError } from '../command-error.mjs'

/** The chosen ids, sorted and without duplicates. */
export function requireAvailable(kind, chosen, available) {
  const unknown = chosen.find((id) => !available.includes(id))
  if (unknown !== undefined) {
    throw new CommandError(
      `Unknown ${kind}: ${unknown}. Available: ${available.join(', ') || 'none'}.`,
    )
  }
  return [...new Set(chosen)].sort()
}

export function requireName(name) {
  const trimmed = name.trim()
  if (trimmed.length >= 1 && trimmed.length <= 60 && !/\p{Cc}/u.test(trimmed)) return trimmed
  throw new CommandError('Invalid name. Use 1 to 60 characters.')
}
