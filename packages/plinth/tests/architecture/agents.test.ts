import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMissing } from '../support/named-in-document'

test.each(['.', 'packages/plinth'])('all commands and paths of AGENTS.md in %s exist', (folder) => {
  expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toMatch(/`npm run check`|`src\//)
  expect(findMissing(folder, 'AGENTS.md')).toEqual([])
})

test.each(['.', 'packages/plinth'])('AGENTS.md in %s is short enough to be read', (folder) => {
  const lines = readFileSync(join(folder, 'AGENTS.md'), 'utf8').split('\n')
  expect(lines.length).toBeLessThanOrEqual(81)
})

test('reports commands and paths that do not exist', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-agents-'))
  const manifest = { scripts: { start: 'x', check: 'x' }, bin: { plinth: 'x' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const text =
    'Run `npm start`, `npm run check`, `npx plinth list`, `npm run lint`, `npm test`, `npx absent`, `npx vitest run tests/none.test.ts`. See `src/none` and `src/app/(name)`.'
  writeFileSync(join(folder, 'a.md'), text)
  expect(findMissing(folder, 'a.md')).toEqual([
    'npm run lint',
    'npm test',
    'npx absent',
    'tests/none.test.ts',
    'src/none',
  ])
  rmSync(folder, { recursive: true })
})
