import { afterAll, beforeAll, expect, test } from 'vitest'
import { transports } from '#testing/callers'
import { sendAction } from '#testing/server/call-action'
import { type Stage, startStage } from '../../../../support/outages/cluster'
import {
  addedWaits,
  expectOutage,
  maxWaitMs,
  printOutages,
} from '../../../../support/outages/expect-outage'
import { frozen, silent, stopped, tableLocked } from '../../../../support/outages/faults'
import { type Load, startLoad } from '../../../../support/outages/load'
import { requestKinds } from '../../../../support/outages/request-kinds'

let stage: Stage
let load: Load

beforeAll(async () => {
  stage = await startStage()
  load = startLoad(requestKinds(stage.server.url, stage.users))
  await load.allOk()
})

afterAll(async () => {
  await load?.stop()
  await stage?.stop()
  printOutages()
})

const faults = [
  ['is silent', silent],
  ['is frozen', frozen],
  ['has the table users locked', (at: Stage) => tableLocked(at, 'users')],
  ['is stopped', stopped],
] as const

test.each(faults)(
  'answers within 2.5 s while the database %s, and recovers',
  {
    timeout: 90_000,
  },
  async (_, fault) => {
    await expectOutage(load, fault(stage))
  },
)

test('sums up the outages in the log, with SQLSTATE and message, and says when they ended', async () => {
  await stage.server.waitFor(/database available again/)
  const log = stage.server.log()
  const summaries = log.filter(({ msg }) => msg === 'database unavailable')
  expect(summaries[0]).toMatchObject({
    level: 'error',
    failures: expect.any(Number),
    requestId: expect.any(String),
    err: { message: expect.any(String), code: expect.any(String) },
  })
  const seconds = new Set(summaries.map(({ time }) => Math.floor(Number(time) / 1000)))
  expect(summaries.length).toBeLessThanOrEqual(2 * seconds.size)
  expect(log.filter(({ msg }) => /^(request|page|action) failed$/.test(String(msg)))).toEqual([])
})

test('does not repeat a commit whose outcome is unknown', { timeout: 20_000 }, async () => {
  await load.stop()
  const { proxy, server, users, sql } = stage
  const title = `Committed ${crypto.randomUUID()}`
  proxy.muteCommitOf(title)
  const start = performance.now()
  const headers = transports.cookie(users.reader.token)
  const response = await sendAction(server.url, 'createArticle', { title, body: 'Text' }, headers)
  const text = await response.text()
  expect(performance.now() - start).toBeLessThan(maxWaitMs + addedWaits * load.usualWaitMs())
  expect(text).toContain('"code":"unavailable"')
  expect(text).toContain('Check whether it was saved')
  expect(response.status).toBe(503)
  proxy.unmute()

  // The server answers from the database again: whatever it would repeat, it has had the time.
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
  expect(await sql`select title from articles where title = ${title}`).toHaveLength(1)
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(*)::int as count from audit_events where action = 'create_article'`
  expect(count).toBe(1)
})
