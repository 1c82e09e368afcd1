import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inRoot, root } from '../packages/plinth/scripts/paths.mjs'
import { onShutdown } from '../packages/plinth/scripts/processes.mjs'
import { median } from './load.mjs'
import { startServer } from './servers.mjs'
import { printTable, printTargets } from './table.mjs'

const edits = 10
const maxSeconds = 2

/** How long it takes from an edit of a module until `npm run dev` works with it. */
export async function benchDevLoop() {
  const medians = await timeDevLoop(edits)
  printTable(
    ['From an edit until it works, median', 'seconds'],
    medians.map(({ name, seconds }) => [name, seconds.toFixed(2)]),
  )
  printTargets(
    medians.map(({ name, seconds }) => ({
      target: `an edit of ${name} works within ${maxSeconds} s`,
      measured: seconds.toFixed(2),
      met: seconds <= maxSeconds,
    })),
  )
}

/**
 * In a copy of the project with one more module. The time of a job includes the request that adds it.
 *
 * @param {number} count of the edits of each part
 */
export async function timeDevLoop(count) {
  const folder = await copyProject()
  const server = await startServer(
    'The development server',
    ['scripts/start.mjs', 'dev'],
    { NODE_ENV: 'development', HOST: '127.0.0.1', NEXT_TELEMETRY_DISABLED: '1' },
    '/api/loop',
    { cwd: folder },
  )
  const medians = []
  try {
    for (const [name, edited] of Object.entries(parts(folder, server.origin))) {
      medians.push({ name, seconds: median(await timeEdits(folder, edited, count)) })
    }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return medians
}

/** The file to edit, and what the running app shows of it. */
function parts(folder, origin) {
  const get = async (path) => (await fetch(origin + path)).text()
  return {
    'a page': { file: 'loop/page.tsx', shown: () => get('/loop') },
    'a component': { file: 'ui/part.tsx', shown: () => get('/loop') },
    'an API route': { file: 'api.ts', shown: () => get('/api/loop') },
    'a job': {
      file: 'jobs.ts',
      async shown() {
        await get('/api/loop?job=true')
        return readFile(join(folder, 'job-output'), 'utf8').catch(() => '')
      },
    },
  }
}

async function timeEdits(folder, { file, shown }, count) {
  const path = join(folder, 'src/app/(loop)', file)
  const original = await readFile(path, 'utf8')
  await shown()
  const times = []
  for (let number = 0; number < count; number += 1) {
    const text = `edit ${number} of ${file}`
    await writeFile(path, original.replaceAll(/first text/g, text))
    const startedAt = performance.now()
    while (!(await shown()).includes(text)) await pause(10)
    times.push((performance.now() - startedAt) / 1000)
    await pause(500)
  }
  return times
}

/** On the same file system, so that the packages are links to the same files. */
async function copyProject() {
  await mkdir(inRoot('test-results'), { recursive: true })
  const folder = await mkdtemp(inRoot('test-results', 'dev-loop-'))
  onShutdown(() => rm(folder, { recursive: true, force: true }))
  const names = ['package.json', 'package-lock.json', 'next.config.ts', 'tsconfig.json']
  const folders = ['public', 'packages/plinth/scripts', 'scripts', 'src']
  for (const name of [...names, 'postcss.config.mjs', ...folders]) {
    await cp(inRoot(name), join(folder, name), { recursive: true })
  }
  execFileSync('cp', ['-al', inRoot('node_modules'), join(folder, 'node_modules')], { cwd: root })
  for (const [name, text] of Object.entries(module)) {
    const file = join(folder, 'src/app/(loop)', name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return folder
}

const module = {
  'package.json': JSON.stringify({
    name: 'plinth-loop',
    version: '0.1.0',
    description: 'What the benchmark edits.',
    private: true,
    type: 'module',
    plinth: { id: 'loop', requires: [], settings: {} },
  }),
  'module.ts': `import type { Module } from 'plinth/modules/module'
import { api } from './api'
import { write } from './jobs'

export const module: Module = { id: 'loop', api, jobs: [write] }
`,
  'api.ts': `import { database } from 'plinth/db/client'
import { anyone } from 'plinth/guard/policy'
import { route } from 'plinth/guard/route'
import { z } from 'zod'
import { write } from './jobs'

export const api = [
  route(
    {
      method: 'get',
      path: '/loop',
      name: 'loop',
      summary: 'first text',
      authorize: anyone,
      input: { query: z.object({ job: z.string().optional() }) },
      responses: { 200: { description: 'A text.', body: z.strictObject({ text: z.string() }) } },
    },
    async ({ input: { query } }) => {
      if (query.job) await database().transaction((tx) => write.enqueue(tx, {}, { key: 'once' }))
      return { text: 'first text' }
    },
  ),
]
`,
  'jobs.ts': `import { writeFile } from 'node:fs/promises'
import { job } from 'plinth/jobs/job'
import { z } from 'zod'

export const write = job({ name: 'loop.write', data: z.object({}) }, async () => {
  await writeFile('job-output', 'first text')
})
`,
  'loop/page.tsx': `import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { Part } from '../ui/part'

export default page({ path: '/loop', name: 'view_loop', authorize: anyone }, () => (
  <main>
    first text <Part />
  </main>
))
`,
  'ui/part.tsx': `'use client'

export function Part() {
  return <p>first text</p>
}
`,
}
