/** The known name that was probably meant, or undefined. Capitals do not matter. */
export function nearestName(
  typed: string,
  known: Iterable<string>,
  countErrors = typingErrors,
): string | undefined {
  let found: { candidate: string; errors: number } | undefined
  for (const candidate of known) {
    const errors = countErrors(typed.toUpperCase(), candidate.toUpperCase())
    if (errors <= maxErrors && errors < (found?.errors ?? Number.POSITIVE_INFINITY)) {
      found = { candidate, errors }
    }
  }
  return found?.candidate
}

const maxErrors = 2

/** Two wrong letters in a short name make another name. */
function typingErrors(typed: string, candidate: string): number {
  const errors = editDistance(typed, candidate)
  return errors * 2 < candidate.length ? errors : Number.POSITIVE_INFINITY
}

/**
 * Letters that are missing, added or replaced; two that are swapped count once. It stops where a pair of
 * rows shows that there are too many: a start compares every variable with every setting.
 */
export function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > maxErrors) return Number.POSITIVE_INFINITY
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
