import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fontCharacters } from '../support/font-characters'

const fonts = ['src/app/fonts/geist-sans.woff2', 'src/app/fonts/geist-mono.woff2']

test('a page loads at most 60 KB of fonts', () => {
  const sizes = fonts.map((path) => statSync(path).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(60_000)
})

test.each(fonts)('%s has Latin letters, punctuation, currencies and arrows', (path) => {
  const characters = fontCharacters(path)
  const latin = [range(0x20, 0x7e), range(0xa0, 0xff), range(0x100, 0x17f)].flat()
  const signs = Array.from('“”‘’„–—…•‹›€₹₽™№←↑→↓−≈≠≤≥', (sign) => sign.codePointAt(0) ?? 0)
  const missing = [...latin, ...signs]
    .filter((character) => !characters.has(character))
    .map((character) => String.fromCodePoint(character))
  expect(missing.filter((character) => !notInGeist.includes(character))).toEqual([])
})

/** The soft hyphen is invisible; the others are rare. */
const notInGeist = '\u00adĔĕĬĭĲĳĸĿŀŉŎŏſ'

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
