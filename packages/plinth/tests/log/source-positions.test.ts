import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { withSourcePositions } from '#log/source-positions'

/** Where a text is: `file:line:column`. */
function find(text: string, files: string[]): { file: string; line: number; column: number } {
  for (const file of files) {
    const before = readFileSync(file, 'utf8').split(text, 2)
    if (before.length < 2) continue
    const lines = (before[0] ?? '').split('\n')
    return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
  }
  throw new Error(`No file has ${text}`)
}

test('a position in a built file of the app is that of its source', () => {
  const chunks = readdirSync('.next/server/chunks').filter((name) => name.endsWith('.js'))
  const text = 'List users'
  const built = find(
    text,
    chunks.map((name) => resolve('.next/server/chunks', name)),
  )
  const source = find(text, ['src/app/(admin)/api.ts'])
  const frame = `Error: failed\n    at list (${built.file}:${built.line}:${built.column})\n    at x`
  const mapped = withSourcePositions(frame)
  expect(mapped).toMatch(/^Error: failed\n {4}at list \(src\/app\/\(admin\)\/api\.ts:\d+:\d+\)\n/)
  expect(mapped).toContain(`api.ts:${source.line}:`)
})

test('so is one in the engine, whose frames have no function or are URLs', () => {
  const text = "'plinth_migrations'"
  const built = find(text, [resolve('node_modules/plinth/dist/db/migrate/migrate.js')])
  const source = find(text, ['packages/plinth/src/db/migrate/migrate.ts'])
  for (const file of [built.file, pathToFileURL(built.file).href]) {
    expect(withSourcePositions(`    at ${file}:${built.line}:${built.column}`)).toMatch(
      new RegExp(`^ {4}at node_modules/plinth/src/db/migrate/migrate\\.ts:${source.line}:\\d+$`),
    )
  }
})

test.each([
  '    at node:internal/process/task_queues:95:5',
  `    at get (${join(resolve('node_modules'), 'hono/dist/hono.js')}:12:5)`,
  `    at get (${resolve('.next/server/absent.js')}:1:1)`,
  'Error: a message of several words (and parentheses)',
])('other text stays: %s', (line) => {
  expect(withSourcePositions(line)).toBe(line)
})
