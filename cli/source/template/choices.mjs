import { CommandError } from '../command-error.mjs'
import { didYouMean } from '../did-you-mean.mjs'

/** The chosen ids, sorted and without duplicates. */
export function requireAvailable(kind, chosen, available) {
  const unknown = chosen.find((id) => !available.includes(id))
  if (unknown !== undefined) {
    throw new CommandError(
      `Unknown ${kind}: ${unknown}.${didYouMean(unknown, available)} Available: ${available.join(', ') || 'none'}.`,
    )
  }
  return [...new Set(chosen)].sort()
}

/** The name that users see. The name of the package is derived from it. */
export function requireName(name) {
  const trimmed = name.trim()
  const isValid = trimmed.length <= 60 && hasLetterOrDigit(trimmed) && !/\p{Cc}/u.test(trimmed)
  if (isValid) return trimmed
  throw new CommandError(
    `Invalid name: ${JSON.stringify(trimmed)}. Use 1 to 60 characters with at least one letter or digit.`,
  )
}

/** Not every system and shell can use the folder otherwise. */
export function requireFolderName(name) {
  if (hasLetterOrDigit(name) && !/[<>:"|?*\\]|\p{Cc}/u.test(name)) return
  throw new CommandError(
    `Invalid folder name: ${JSON.stringify(name)}. Use at least one letter or digit, and none of <>:"|?*\\.`,
  )
}

function hasLetterOrDigit(text) {
  return /[\p{L}\p{N}]/u.test(text)
}
