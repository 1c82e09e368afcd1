import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { createHashingThreads } from '#auth/passwords/hashing-threads'
import { run } from '#testing/program'
import { compileProgram } from '../../support/compile-program'

const cheap = { algorithm: 2, memoryCost: 1024, timeCost: 1, parallelism: 1 }

const folder = mkdtempSync(join(tmpdir(), 'plinth-hashing-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('hashes and verifies, also after an error', async () => {
  const threads = createHashingThreads()
  const hashed = await threads.hash('right', cheap)
  await expect(threads.verify('not a hash', 'right')).rejects.toThrow()
  expect(await threads.verify(hashed, 'right')).toBe(true)
  expect(await threads.verify(hashed, 'wrong')).toBe(false)
})

/** The priority of each thread of this process, by its id. */
function priorities(): Map<string, number> {
  const fields = (id: string) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  }
  return new Map(readdirSync('/proc/self/task').map((id) => [id, Number(fields(id)[16])]))
}

test.runIf(process.platform === 'linux')(
  'threads have a lower priority and the rest of the process keeps its own',
  async () => {
    const before = priorities()
    const threads = createHashingThreads()
    await Promise.all([threads.hash('one', cheap), threads.hash('other', cheap)])
    const after = priorities()
    const started = [...after].filter(([id]) => !before.has(id))
    expect(started.filter(([, priority]) => priority === 10)).toHaveLength(2)
    for (const [id, priority] of before) expect(after.get(id) ?? priority).toBe(priority)
  },
)

test('an idle thread hashes the next password', async () => {
  const file = join(folder, 'counts.mjs')
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads'
     parentPort.on('message', () => parentPort.postMessage({ result: threadId }))`,
  )
  const threads = createHashingThreads(() => new Worker(file))
  const first = await Promise.all([threads.hash('', cheap), threads.hash('', cheap)])
  expect(new Set(first).size).toBe(2)
  expect(first).toContain(await threads.hash('', cheap))
})

test('a thread that exits fails its own hash only', async () => {
  const file = join(folder, 'exits.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ password }) => {
       if (password === 'exit') process.exit(3)
       parentPort.postMessage({ result: 'hashed' })
     })`,
  )
  const threads = createHashingThreads(() => new Worker(file))
  expect(await threads.hash('', cheap)).toBe('hashed')
  await expect(threads.hash('exit', cheap)).rejects.toThrow('hashing thread exited with code 3')
  expect(await threads.hash('', cheap)).toBe('hashed')
})

test('an idle thread does not keep the process alive', async () => {
  const program = run(process.execPath, [await compileProgram('hash-twice.ts')], {})
  expect(await program.exited).toBe(0)
  expect(program.output()).toBe('true\n')
})
