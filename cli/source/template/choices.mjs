import { Stop } from '../stop.mjs'

/** The chosen ones in order, each once. */
export function requireKnown(kind, chosen, known) {
  const unknown = chosen.find((id) => !known.includes(id))
  if (unknown !== undefined) {
    throw new Stop(`There is no ${kind} ${unknown}. There are: ${known.join(', ') || 'none'}.`)
  }
  return [...new Set(chosen)].sort()
}

export function requireName(name) {
  const trimmed = name.trim()
  if (trimmed.length >= 1 && trimmed.length <= 60 && !/\p{Cc}/u.test(trimmed)) return trimmed
  throw new Stop('A name has 1 to 60 characters.')
}
