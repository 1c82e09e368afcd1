import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, type Server, startServer } from '#testing/server/server'
import { findPostgres, startPostgres } from '../../../scripts/services/programs.mjs'
import { scrape } from '../../support/scrape'
import { findPrometheus, promtool, startPrometheus } from '../../support/services/prometheus.mjs'

const program = process.env.TEST_PROMETHEUS ?? findPrometheus() ?? ''
const rules = 'deploy/metrics/alert-rules.yaml'

test('promtool accepts the alert rules, and each fires when it should', () => {
  const run = (...args: string[]) => execFileSync(promtool(program), args).toString()
  expect(run('check', 'rules', rules)).toContain('SUCCESS')
  expect(run('test', 'rules', 'packages/plinth/tests/metrics/alert-rules.test.yaml')).toContain(
    'SUCCESS',
  )
})

/** Its own cluster, because the test stops it. */
let postgres: Awaited<ReturnType<typeof startPostgres>>
let prometheus: Awaited<ReturnType<typeof startPrometheus>>
let server: Server
let metricsPort: string

beforeAll(async () => {
  postgres = await startPostgres(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  metricsPort = String(await freePort())
  server = await startServer({
    DATABASE_URL: postgres.url,
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    WEB_CONCURRENCY: '2',
    METRICS_PORT: metricsPort,
  })
  const target = `127.0.0.1:${metricsPort}`
  prometheus = await startPrometheus(program, target, { rules: resolve(rules) })
})

afterAll(async () => {
  await prometheus?.stop()
  await server?.stop()
  await postgres?.stop()
})

async function query(expression: string): Promise<number | undefined> {
  const parameters = new URLSearchParams({ query: expression })
  const response = await fetch(`${prometheus.url}/api/v1/query?${parameters}`)
  const { data } = await response.json()
  const [found] = data.result
  return found && Number(found.value[1])
}

test('Prometheus reads what two processes have counted', async () => {
  await expect.poll(() => query('sum(plinth_workers{state="responding"})')).toBe(2)
  for (let round = 0; round < 30; round += 1) {
    await fetch(`${server.url}/api/health/live`, { headers: { connection: 'close' } })
  }
  const live = '{route="/api/health/live"}'
  await expect.poll(() => query(`sum(http_requests_total${live})`)).toBe(30)
  await expect.poll(() => query(`sum(http_request_duration_seconds_count${live})`)).toBe(30)
  const infinite = '{le="+Inf",route="/api/health/live"}'
  await expect.poll(() => query(`http_request_duration_seconds_bucket${infinite}`)).toBe(30)
  await expect.poll(() => query('up')).toBe(1)
  await expect.poll(() => query('count(plinth_build_info)')).toBe(1)
  const input = await scrape(`http://127.0.0.1:${metricsPort}`)
  expect(execFileSync(promtool(program), ['check', 'metrics'], { input }).toString()).toBe('')
})

test('while the database is unavailable that is a metric, and what it would tell is absent', async () => {
  await expect.poll(() => query('plinth_database_up')).toBe(1)
  await expect.poll(() => query('max(plinth_mail_queue_messages)')).toBe(0)
  await postgres.crash()
  await expect.poll(() => query('plinth_database_up')).toBe(0)
  await expect.poll(() => query('max(plinth_mail_queue_messages)')).toBeUndefined()
  await expect.poll(() => query('max(plinth_jobs)')).toBeUndefined()
  await expect.poll(() => query('ALERTS{alertname="DatabaseUnavailable"}')).toBe(1)
  await postgres.start()
  await expect.poll(() => query('plinth_database_up')).toBe(1)
  await expect.poll(() => query('max(plinth_mail_queue_messages)')).toBe(0)
})
