/**
 * Writes src/app/fonts: the Geist fonts with the characters and weights of the UI, in less than half
 * the size. Run it to change either: `node packages/plinth/scripts/subset-fonts.mjs`. It downloads its packages into
 * a temporary folder, because nothing else needs them.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = ['geist@1.7.2', 'subset-font@2.9.0', 'harfbuzzjs@1.6.4']

const weights = { wght: { min: 400, max: 700 } }

/** Other characters are shown in a font of the system. */
const characters = [
  [0x20, 0x7e], // Basic Latin
  [0xa0, 0xff], // Latin-1 Supplement
  [0x100, 0x17f], // Latin Extended-A
  [0x218, 0x21b], // Romanian
  [0x1e9e, 0x1e9e], // ẞ
  [0x2002, 0x203a], // General Punctuation
  [0x20a0, 0x20bf], // Currency Symbols
  [0x2116, 0x2122], // № and ™
  [0x2190, 0x2199], // Arrows
  [0x2212, 0x2212], // −
  [0x2248, 0x2265], // ≈ ≠ ≤ ≥
]

const fonts = {
  'geist-sans.woff2': 'geist-sans/Geist-Variable.woff2',
  'geist-mono.woff2': 'geist-mono/GeistMono-Variable.woff2',
}

const folder = fileURLToPath(new URL('../../../src/app/fonts', import.meta.url))
const temporary = mkdtempSync(join(tmpdir(), 'plinth-fonts-'))

try {
  writeFileSync(join(temporary, 'package.json'), '{}')
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options, ...packages], { cwd: temporary, stdio: 'inherit' })
  await subset(join(temporary, 'node_modules'))
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

async function subset(installed) {
  const subsetFont = createRequire(join(installed, 'index.js'))('subset-font')
  for (const [name, source] of Object.entries(fonts)) {
    const font = readFileSync(join(installed, 'geist/dist/fonts', source))
    const options = { targetFormat: 'woff2', variationAxes: weights }
    const written = await subsetFont(font, characters.map(textOf).join(''), options)
    writeFileSync(join(folder, name), written)
    process.stdout.write(`${name}: ${written.length} bytes instead of ${font.length}\n`)
  }
  copyFileSync(join(installed, 'geist/LICENSE.txt'), join(folder, 'LICENSE.txt'))
}

function textOf([first, last]) {
  const codePoints = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return String.fromCodePoint(...codePoints)
}
