import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'

/** Runs the shell examples of a document against the built server. */
export function docExamples() {
  let fresh: FreshDatabase
  let server: Server
  let folder: string
  beforeAll(async () => {
    fresh = await freshDatabase()
    server = await startServer(fresh.settings)
    folder = mkdtempSync(join(tmpdir(), 'plinth-examples-'))
  })
  afterAll(async () => {
    await server.stop()
    await fresh.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** All examples run in order in one shell. Those followed by JSON must print it. */
  return function expectExamples(document: string, { min }: { min: number }): void {
    const examples = examplesOf(readFileSync(document, 'utf8'))
    const withOutput = examples.filter(({ output }) => output !== undefined)
    expect(withOutput.length).toBeGreaterThanOrEqual(min)
    const separator = '\u001e'
    const script = examples.map(({ command }) => `${command}\nprintf '${separator}'`).join('\n')
    const localScript = script.replaceAll('http://localhost:3000', server.url)
    const stdout = execFileSync('bash', ['-c', localScript], { cwd: folder, encoding: 'utf8' })
    const printed = stdout.split(separator)
    for (const [index, { command, output }] of examples.entries()) {
      if (output === undefined) continue
      expect(JSON.parse(printed[index] ?? ''), command).toEqual(pattern(output))
    }
  }
}

type Example = { command: string; output: unknown }

/** A shell block and the JSON block right after it, which is its expected output. */
function examplesOf(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/```(sh|json)\n([\s\S]*?)```/g)]
  return blocks.flatMap(([, language, text = ''], index) => {
    const [, next, output = ''] = blocks[index + 1] ?? []
    if (language !== 'sh') return []
    return [{ command: text, output: next === 'json' ? JSON.parse(output) : undefined }]
  })
}

/** An ellipsis matches any string, and at the end of a list any further items. */
function pattern(value: unknown): unknown {
  if (value === '…') return expect.any(String)
  if (Array.isArray(value)) {
    if (value.at(-1) === '…') return expect.arrayContaining(value.slice(0, -1).map(pattern))
    return value.map(pattern)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, pattern(item)]))
}
