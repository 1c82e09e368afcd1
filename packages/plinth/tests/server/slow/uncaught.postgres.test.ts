import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connection } from '#db/client'
import { jobs } from '#db/schema'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { freePort, type Server, startServer } from '#testing/server/server'
import { readSeries, scrape } from '../../support/scrape'

/**
 * Loaded before the server. In the context of a request with one of these ids, and of a job, it does what
 * careless code does.
 */
const carelessCode = `
import { AsyncLocalStorage } from 'node:async_hooks'
const { run } = AsyncLocalStorage.prototype
const reject = (message) => { Promise.reject(new Error(message)) }
const throwLater = (error) => setTimeout(() => { throw error })
const careless = {
  'lost-promise': () => reject('lost promise'),
  'lost-exception': () => throwLater(new Error('lost exception')),
  'lost-connection': () => throwLater(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
}
AsyncLocalStorage.prototype.run = function (store, work, ...args) {
  return run.call(this, store, () => {
    careless[store?.requestId]?.()
    const result = work(...args)
    if (store?.job) result.finally(() => reject('late promise'))
    return result
  })
}`

let fresh: FreshDatabase
let connection: Connection
let server: Server
let metricsUrl: string

beforeAll(async () => {
  fresh = await freshDatabase()
  connection = await openFresh(fresh)
})

afterAll(async () => {
  await connection.close()
  await fresh.remove()
})

async function start(settings: Record<string, string> = {}): Promise<void> {
  const METRICS_PORT = String(await freePort())
  metricsUrl = `http://127.0.0.1:${METRICS_PORT}`
  const preload = `data:text/javascript;base64,${Buffer.from(carelessCode).toString('base64')}`
  server = await startServer({
    ...fresh.settings,
    DATABASE_TIMEOUT_MS: '20000',
    NODE_OPTIONS: `--import ${preload}`,
    METRICS_PORT,
    ...settings,
  })
}

async function get(path: string, requestId?: string): Promise<number> {
  const headers = { connection: 'close', ...(requestId ? { 'x-request-id': requestId } : {}) }
  const response = await fetch(server.url + path, { headers })
  await response.text()
  return response.status
}

const errors = () => server.log().filter(({ level }) => level === 'error')

async function counted(kind: string): Promise<number> {
  const series = readSeries(await scrape(metricsUrl))
  return series[`plinth_uncaught_errors_total{kind="${kind}"}`] ?? Number.NaN
}

describe('an error that the process survives', () => {
  let earlierErrors: number
  let earlierCounts: Record<string, number>
  const newErrors = () => errors().slice(earlierErrors)
  const newlyCounted = async (kind: string) => (await counted(kind)) - (earlierCounts[kind] ?? 0)

  beforeAll(() => start())
  beforeEach(async () => {
    earlierErrors = errors().length
    earlierCounts = {
      rejection: await counted('rejection'),
      exception: await counted('exception'),
    }
  })
  afterAll(() => server.stop('SIGKILL'))

  test.each(['/api/auth/csrf', '/sign-in'])(
    'a rejection that nothing handles in %s is one line, and the process goes on',
    async (path) => {
      expect(await get(path, 'lost-promise')).toBe(200)
      await expect.poll(newErrors).not.toEqual([])
      const stack = expect.stringMatching(/^Error: lost promise\n +at /)
      const line = { requestId: 'lost-promise', msg: 'unhandled rejection', err: { stack } }
      expect(await get(path)).toBe(200)
      expect(newErrors()).toMatchObject([line])
      expect(await newlyCounted('rejection')).toBe(1)
    },
  )

  test('a rejection after the end of a job is one line that names the job', async () => {
    const name = 'core.sweep'
    const [added] = await connection.database.insert(jobs).values({ name }).returning()
    await server.waitFor(/late promise/)
    const job = { id: added?.id, name, attempt: 1 }
    const stack = expect.stringMatching(/^Error: late promise\n +at /)
    expect(server.log().filter((line) => 'job' in line)).toMatchObject([
      { level: 'info', msg: 'job done', job },
      { level: 'error', msg: 'unhandled rejection', job, err: { stack } },
    ])
    expect(await newlyCounted('rejection')).toBe(1)
  })

  test('an uncaught error of a lost connection does not stop the process', async () => {
    await get('/api/auth/csrf', 'lost-connection')
    await server.waitFor(/uncaught exception/)
    expect(await get('/api/auth/csrf')).toBe(200)
    expect(newErrors()).toMatchObject([
      { requestId: 'lost-connection', err: { code: 'ECONNRESET' } },
    ])
    expect(await newlyCounted('exception')).toBe(1)
  })
})

describe('an error that ends the process', () => {
  afterEach(() => server.stop('SIGKILL'))

  test('after an uncaught exception it shuts down in order and exits with 1', async () => {
    await start()
    await get('/api/auth/csrf', 'lost-exception').catch(() => {})
    expect(await server.exited).toBe(1)
    const stack = expect.stringMatching(/^Error: lost exception\n +at /)
    const line = { requestId: 'lost-exception', msg: 'uncaught exception', err: { stack } }
    // On a slow machine a job of the careless code fails before the process has ended.
    expect(errors().filter(({ msg }) => msg === line.msg)).toMatchObject([line])
    expect(server.output()).toContain('uncaught exception: shutting down')
  })

  test('with several processes another one takes the place of the one that shut down', async () => {
    await start({ WEB_CONCURRENCY: '2' })
    await get('/api/auth/csrf', 'lost-exception').catch(() => {})
    await server.waitFor(/worker exited; restarting/)
    await expect
      .poll(() => server.output().match(/ready at /g)?.length, { timeout: 60_000 })
      .toBe(3)
    expect(await get('/api/auth/csrf')).toBe(200)
    expect(await counted('exception')).toBe(1)
  })
})
