import { settings } from '#config/settings'

/** A name in the environment that is no setting, and the setting that was probably meant. */
export type MisspelledSetting = { name: string; meant: string }

/** `more` are names that only a layer above knows: those of OAuth providers. */
export function findMisspelled(
  source: Readonly<Record<string, string | undefined>>,
  more: readonly string[] = [],
): MisspelledSetting[] {
  const names = [...Object.keys(settings.shape), ...more]
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]))
  return Object.keys(source).flatMap((name) => {
    if (!source[name] || known.has(name) || isOfOthers(name)) return []
    const meant = nearest(name, known)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

export function explainMisspelled({ name, meant }: MisspelledSetting): string {
  return `${name} is not a setting. Did you mean ${meant}?`
}

/** The settings of OpenTelemetry for logs are one or two letters from those for traces. */
function isOfOthers(name: string): boolean {
  return name.startsWith('OTEL_BLRP_')
}

function nearest(name: string, known: ReadonlySet<string>): string | undefined {
  const typed = name.toUpperCase()
  let found: { candidate: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = typingErrors(typed, candidate)
    if (distance <= maxErrors && distance < (found?.distance ?? Number.POSITIVE_INFINITY)) {
      found = { candidate, distance }
    }
  }
  return found?.candidate
}

const maxErrors = 2
const shortName = 8

/**
 * Of a short name only swapped letters count: HOME, POST and PORTS are two letters or less from HOST or
 * PORT, and systems set such names.
 */
function typingErrors(typed: string, candidate: string): number {
  if (Math.abs(typed.length - candidate.length) > maxErrors) return Number.POSITIVE_INFINITY
  if (candidate.length < shortName) {
    return sortedLetters(typed) === sortedLetters(candidate) ? 1 : Number.POSITIVE_INFINITY
  }
  return editDistance(typed, candidate)
}

function sortedLetters(text: string): string {
  return [...text].toSorted().join('')
}

/**
 * Letters that are missing, added or replaced; two that are swapped count once. It stops where a pair of
 * rows shows that there are too many: a start compares every variable with every setting.
 */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const [letter, otherLetter] = [one[row - 1], other[column - 1]]
      const replaced = (last[column - 1] ?? 0) + (letter === otherLetter ? 0 : 1)
      const steps = [replaced, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1]
      const isSwap = letter === other[column - 2] && one[row - 2] === otherLetter
      if (isSwap) steps.push((beforeLast[column - 2] ?? 0) + 1)
      current.push(Math.min(...steps))
    }
    if (Math.min(...last, ...current) > maxErrors) return Number.POSITIVE_INFINITY
    beforeLast = last
    last = current
  }
  return last[other.length] ?? 0
}
