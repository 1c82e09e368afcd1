import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { type Server, startServer } from '../support/server'

let place: Place
let server: Server
let folder: string

beforeAll(async () => {
  place = await freshDatabase()
  server = await startServer(place.settings)
  folder = mkdtempSync(join(tmpdir(), 'plinth-examples-'))
})

afterAll(async () => {
  await server.stop()
  await place.remove()
  rmSync(folder, { recursive: true, force: true })
})

type Example = { command: string; answer: unknown }

/** A block of shell, and the block of JSON right after it that says what it prints. */
function examplesOf(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/```(sh|json)\n([\s\S]*?)```/g)]
  return blocks.flatMap(([, language, text = ''], index) => {
    const [, next, answer = ''] = blocks[index + 1] ?? []
    if (language !== 'sh') return []
    return [{ command: text, answer: next === 'json' ? JSON.parse(answer) : undefined }]
  })
}

/** An ellipsis stands for what is different each time. */
function pattern(value: unknown): unknown {
  if (value === '…') return expect.any(String)
  if (Array.isArray(value)) return value.map(pattern)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, pattern(item)]))
}

test('every example of docs/interface.md prints what it says', () => {
  const examples = examplesOf(readFileSync('docs/interface.md', 'utf8'))
  expect(examples.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(8)
  const mark = '\u001e'
  const script = examples.map(({ command }) => `${command}\nprintf '${mark}'`).join('\n')
  const here = script.replaceAll('http://127.0.0.1:3000', server.url)
  const printed = execFileSync('bash', ['-c', here], { cwd: folder, encoding: 'utf8' }).split(mark)
  for (const [index, { command, answer }] of examples.entries()) {
    if (answer === undefined) continue
    expect(JSON.parse(printed[index] ?? ''), command).toEqual(pattern(answer))
  }
})
