import { actionBodies, apiBodies, queries, tinyChunks } from '../payloads/costly.mjs'
import { manyFields } from '../payloads/many-fields.mjs'
import { markdownBombs } from '../payloads/markdown-bombs.mjs'
import { sendAction } from '../support/actions.mjs'
import { createArticle } from '../support/articles.mjs'
import { cpuOf } from '../support/cpu.mjs'
import { healthDuring } from '../support/health.mjs'
import { exchange } from '../support/raw.mjs'
import { tryAll, verdict } from '../verdict.mjs'

export const costlyInput = [
  {
    name: 'Markdown',
    bypass: 'An article keeps the server busy when it is saved or viewed.',
    run: attackMarkdown,
  },
  {
    name: 'API bodies',
    bypass: 'A body keeps the server busy, or makes it fail.',
    run: attackBodies,
  },
  {
    name: 'action bodies',
    bypass: 'The arguments of an action keep the server busy, or make it fail.',
    run: attackActionBodies,
  },
  {
    name: 'forms with many fields',
    bypass: 'A form keeps the server busy before it is refused.',
    run: attackForms,
  },
  {
    name: 'tiny chunks',
    bypass: 'A body in many chunks keeps the server busy.',
    run: attackChunks,
  },
  {
    name: 'queries and headers',
    bypass: 'A query keeps the server busy, or makes it fail.',
    run: attackQueries,
  },
]

/** Performs the cases while the health check is polled: others must be served meanwhile. */
async function whileServed(target, cases, attempt, concurrency) {
  let result = verdict(0, [])
  const late = await healthDuring(
    target.url,
    tryAll(cases, attempt, concurrency).then((found) => {
      result = found
    }),
  )
  return verdict(result.cases, [...result.evidence, ...late])
}

async function attackMarkdown(target) {
  const editor = await target.signIn('editor')
  const view = async (title, body) => {
    const id = await createArticle(target, editor, { title, body }).catch(() => undefined)
    return id && fastestView(target, editor, id)
  }
  const plain = await view('Plain', 'A short text.')
  const limit = 3 * plain + 200
  return whileServed(
    target,
    target.sample(markdownBombs, 5),
    async ([name, body]) => {
      // A text that is too costly is refused; one that is accepted must be cheap to view.
      const milliseconds = await view(name, body)
      if (!milliseconds || milliseconds < limit) return undefined
      return `${name}: ${Math.round(milliseconds)} ms instead of ${Math.round(plain)} ms`
    },
    1,
  )
}

/** The fastest of three views, because the machine may be busy with other work. */
async function fastestView(target, caller, id) {
  const times = []
  for (let count = 0; count < 3; count += 1) {
    const started = performance.now()
    await (await target.send(`/articles/${id}`, { caller })).text()
    times.push(performance.now() - started)
  }
  return Math.min(...times)
}

async function attackBodies(target) {
  return whileServed(target, apiBodies(), async ([body, headers]) => {
    const response = await target.send('/api/auth/signin', { method: 'POST', body, headers })
    const acceptable = response.status >= 400 && response.status < 500
    return acceptable ? undefined : `${String(body).slice(0, 40)}: ${response.status}`
  })
}

async function attackActionBodies(target) {
  const action = target.requireActions().get('requestPasswordReset')
  const headers = { 'content-type': 'text/plain;charset=UTF-8', 'next-action': action.id }
  const post = async (init) => {
    const { status } = await target.send(action.path, { method: 'POST', ...init })
    return status < 500 ? undefined : `${String(init.body).slice(0, 40)}: ${status}`
  }
  const parts = new FormData()
  for (let index = 1; index < 3000; index += 1) parts.append(`${index}`, `["$${index + 1}"]`)
  parts.append('0', '["$1"]')
  const cases = [
    ...actionBodies().map((body) => () => post({ body, headers })),
    () => post({ body: parts, headers: { 'next-action': action.id } }),
    () =>
      sendAction(target.url, action, { email: ['a'.repeat(1000)] }).then(({ status }) =>
        status < 500 ? undefined : `a list: ${status}`,
      ),
  ]
  return whileServed(target, cases, (attempt) => attempt(), 2)
}

/** More than two views of a page: what else the server does meanwhile counts too. */
const maxRefusalCpuMs = 20
/** Read chunk by chunk, the body takes a second. */
const maxChunksCpuMs = 100

async function attackForms(target) {
  const { pid } = target.requireOwnServer()
  const action = target.requireActions().get('requestPasswordReset')
  const cases = target.sample(Object.entries(manyFields(action.id)), 8)
  const view = await cpuOf(pid, async () => (await target.send(action.path)).text())
  const limit = 2 * view.milliseconds + maxRefusalCpuMs
  let highest = 0
  const { evidence } = await tryAll(
    cases,
    async ([name, init]) => {
      const { status, milliseconds } = await cpuOf(pid, async () => {
        const response = await target.send(action.path, { method: 'POST', ...init })
        await response.text()
        return response.status
      })
      if (status !== 413) return `${name}: ${status}`
      highest = Math.max(highest, milliseconds)
      return milliseconds > limit ? `${name}: ${milliseconds} ms of CPU` : undefined
    },
    1,
  )
  return {
    ...verdict(cases.length, evidence),
    measured: `at most ${highest} ms of CPU each, a view of the page ${view.milliseconds} ms`,
  }
}

async function attackChunks(target) {
  const { pid } = target.requireOwnServer()
  return tryAll(
    tinyChunks(),
    async ([path, bytes]) => {
      const { milliseconds } = await cpuOf(pid, () =>
        exchange(target.url, bytes, 5000).catch(() => {}),
      )
      return milliseconds > maxChunksCpuMs ? `${path}: ${milliseconds} ms of CPU` : undefined
    },
    1,
  )
}

async function attackQueries(target) {
  const admin = await target.signIn('admin')
  return whileServed(target, queries(), async (path) => {
    const { status } = await target.send(path, { caller: admin })
    return status < 500 ? undefined : `${path.slice(0, 80)}: ${status}`
  })
}
