import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const tokens = Object.fromEntries(
  [
    ...read('src/app/globals.css').matchAll(/--color-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g),
  ].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]),
)

function read(path: string): string {
  return readFileSync(path, 'utf8').toLowerCase()
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const pairs = [
  ...['ink', 'muted', 'accent', 'accent-strong', 'danger', 'warning'].flatMap((text) =>
    ['canvas', 'surface', 'sunken'].map((background) => ({ text, background, min: 5.7 })),
  ),
  { text: 'accent', background: 'accent-wash', min: 5.7 },
  { text: 'on-accent', background: 'accent', min: 5.7 },
  { text: 'on-accent', background: 'accent-strong', min: 5.7 },
  { text: 'edge', background: 'canvas', min: 3.4 },
]

test.each(pairs)(
  '$text is readable on $background, light and dark',
  ({ text, background, min }) => {
    for (const theme of ['light', 'dark'] as const) {
      const ratio = contrast(tokens[text]?.[theme] ?? '', tokens[background]?.[theme] ?? '')
      expect(ratio, theme).toBeGreaterThanOrEqual(min)
    }
  },
)

test('mail and the icon use the colors of the pages', () => {
  const known = Object.values(tokens).flatMap(({ light, dark }) => [light, dark])
  for (const path of ['src/mail/message-layout.ts', 'src/app/icon.svg']) {
    const used = read(path).match(/#[\da-f]{6}\b/g) ?? []
    expect(used.length, path).toBeGreaterThan(0)
    expect(
      used.filter((color) => !known.includes(color)),
      path,
    ).toEqual([])
  }
})

test('the browser around the page has the color of its header', () => {
  const { light, dark } = tokens.surface ?? {}
  for (const path of ['src/app/theme-colors.ts', 'public/theme.js']) {
    expect(
      read(path)
        .match(/#[\da-f]{6}\b/g)
        ?.sort(),
      path,
    ).toEqual([dark, light].sort())
  }
})

test('the API reference has no colors of its own', () => {
  const style = read('public/reference.css')
  expect(style).not.toMatch(/#[\da-f]{3,8}\b|rgb|hsl/)
  const used = [...style.matchAll(/var\(--color-([\w-]+)\)/g)].map(([, name = '']) => name)
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((name) => !(name in tokens))).toEqual([])
})
