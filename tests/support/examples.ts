import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { freshDatabase, type Place } from './database'
import { type Server, startServer } from './server'

/** Runs the examples of documents against the built product, which has a database of its own. */
export function examplesOnProduct() {
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

  /** In order, in one shell; fails where one does not print what it says, or where there are fewer. */
  return function expectExamples(document: string, { atLeast }: { atLeast: number }): void {
    const examples = examplesOf(readFileSync(document, 'utf8'))
    const answered = examples.filter(({ answer }) => answer !== undefined)
    expect(answered.length).toBeGreaterThanOrEqual(atLeast)
    const mark = '\u001e'
    const script = examples.map(({ command }) => `${command}\nprintf '${mark}'`).join('\n')
    const here = script.replaceAll('http://127.0.0.1:3000', server.url)
    const output = execFileSync('bash', ['-c', here], { cwd: folder, encoding: 'utf8' })
    const printed = output.split(mark)
    for (const [index, { command, answer }] of examples.entries()) {
      if (answer === undefined) continue
      expect(JSON.parse(printed[index] ?? ''), command).toEqual(pattern(answer))
    }
  }
}

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

/** An ellipsis stands for what is different each time, and at the end of a list for more of it. */
function pattern(value: unknown): unknown {
  if (value === '…') return expect.any(String)
  if (Array.isArray(value)) {
    if (value.at(-1) === '…') return expect.arrayContaining(value.slice(0, -1).map(pattern))
    return value.map(pattern)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, pattern(item)]))
}
