import { describe, expect, test } from 'vitest'
import { differencesBetween } from '../ui/conflict/differences-between'

/** `-removed-` and `+added+`. */
function shown(before: string, after: string): string {
  const marks = { same: '', removed: '-', added: '+' }
  return differencesBetween(before, after)
    .map(({ kind, text }) => marks[kind] + text + marks[kind])
    .join('')
}

describe('differences', () => {
  test.each([
    ['one two three', 'one 2 three', 'one -two-+2+ three'],
    ['', 'new', '+new+'],
    ['old', '', '-old-'],
    ['same', 'same', 'same'],
    ['a b', 'a, b', 'a+,+ b'],
    ['Grüße an alle', 'Grüße alle', 'Grüße -an -alle'],
    ['x\ny', 'x\n\ny', 'x-\n-+\n\n+y'],
    ['שלום לך', 'שלום לכם', 'שלום -לך-+לכם+'],
  ])('are marked word by word: %j and %j', (before, after, expected) => {
    expect(shown(before, after)).toBe(expected)
  })

  test('give both texts back, whatever their length', () => {
    const long = (word: string) => Array.from({ length: 5000 }, (_, i) => `${word}${i}`)
    const texts = [
      ['a b c d', 'b d e'],
      [long('a').join(' '), long('b').join(' ')],
      [long('a').join('\n'), long('b').join('\n')],
    ] as const
    for (const [before, after] of texts) {
      const differences = differencesBetween(before, after)
      const without = (other: string) =>
        differences.filter(({ kind }) => kind !== other).map(({ text }) => text)
      expect(without('added').join('')).toBe(before)
      expect(without('removed').join('')).toBe(after)
    }
  })

  test('of a long text are marked line by line', () => {
    const lines = Array.from({ length: 1000 }, (_, i) => `left ${i} and ${i} right\n`)
    const changed = lines.map((line, i) => (i % 10 === 5 ? `changed ${i}\n` : line))
    const differences = differencesBetween(lines.join(''), changed.join(''))
    expect(differences.filter(({ kind }) => kind === 'added')).toHaveLength(100)
    expect(differences).toContainEqual({ kind: 'removed', text: 'left 5 and 5 right\n' })
  })
})
