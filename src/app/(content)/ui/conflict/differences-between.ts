export type Difference = { kind: 'same' | 'removed' | 'added'; text: string }

/** The largest table of common words or lines. Larger texts are compared more coarsely. */
const maxCells = 4_000_000

const words = /[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu
const lines = /[^\n]*\n|[^\n]+/g

/** Compares words, or lines if words would take long, or else the texts as a whole. */
export function differencesBetween(before: string, after: string): Difference[] {
  for (const unit of [words, lines]) {
    const differences = compare(before.match(unit) ?? [], after.match(unit) ?? [])
    if (differences) return join(differences)
  }
  return join([
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ])
}

/** Undefined if the texts are too long. */
function compare(before: string[], after: string[]): Difference[] | undefined {
  const start = commonLength(before, after, (list, index) => list[index])
  const tails = [before.slice(start), after.slice(start)] as const
  const end = commonLength(...tails, (list, index) => list.at(-1 - index))
  const [oldMiddle, newMiddle] = tails.map((list) => list.slice(0, list.length - end)) as [
    string[],
    string[],
  ]
  if (oldMiddle.length * newMiddle.length > maxCells) return undefined
  return [
    ...same(before.slice(0, start)),
    ...compareMiddle(oldMiddle, newMiddle),
    ...same(before.slice(before.length - end)),
  ]
}

function commonLength(
  one: string[],
  other: string[],
  at: (list: string[], index: number) => string | undefined,
): number {
  const max = Math.min(one.length, other.length)
  let length = 0
  while (length < max && at(one, length) === at(other, length)) length += 1
  return length
}

/** Along a longest common subsequence. */
function compareMiddle(before: string[], after: string[]): Difference[] {
  const width = after.length + 1
  const longest = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number) => longest[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const differences: Difference[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const [removed, added] = [before[row], after[column]]
    if (removed !== undefined && removed === added) {
      differences.push({ kind: 'same', text: removed })
      row += 1
      column += 1
    } else if (
      added === undefined ||
      (removed !== undefined && at(row + 1, column) >= at(row, column + 1))
    ) {
      differences.push({ kind: 'removed', text: removed ?? '' })
      row += 1
    } else {
      differences.push({ kind: 'added', text: added })
      column += 1
    }
  }
  return differences
}

function same(parts: string[]): Difference[] {
  return parts.map((text) => ({ kind: 'same', text }))
}

/** Neighbors of one kind become one, and what was removed comes before what was added. */
function join(differences: Difference[]): Difference[] {
  const joined: Difference[] = []
  let pending = { removed: '', added: '' }
  const flush = () => {
    for (const kind of ['removed', 'added'] as const)
      if (pending[kind] !== '') joined.push({ kind, text: pending[kind] })
    pending = { removed: '', added: '' }
  }
  for (const { kind, text } of differences) {
    if (kind !== 'same') {
      pending[kind] += text
      continue
    }
    flush()
    const last = joined.at(-1)
    if (last?.kind === 'same') last.text += text
    else joined.push({ kind, text })
  }
  flush()
  return joined.filter(({ text }) => text !== '')
}
