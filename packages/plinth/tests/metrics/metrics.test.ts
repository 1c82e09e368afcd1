import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createHashingQueue } from '#auth/passwords/queue'
import type { ApiEnvironment } from '#http/api-context'
import { requestKind } from '#http/request-log'
import {
  count,
  counter,
  counters,
  enableMetrics,
  histogram,
  histograms,
  observe,
  readMetrics,
  seriesName,
} from '#metrics/metrics'
import {
  formatSnapshot,
  gauges,
  mergeSnapshots,
  processCounters,
  type Snapshot,
  withoutGauges,
} from '#server/metrics/snapshot'

test('counts nothing while metrics are off', () => {
  count('plinth_mail_deliveries_total', { result: 'sent' })
  expect(counter('http_requests_total')).toBeUndefined()
  expect(histogram('http_request_duration_seconds')).toBeUndefined()
  const { requests, durations } = requestKind('GET', '/', 200)
  expect([requests, durations]).toEqual([undefined, undefined])
  expect(readMetrics()).toEqual({ counters: {}, histograms: {} })
  enableMetrics()
  expect(readMetrics().counters).toMatchObject({ 'plinth_mail_deliveries_total{result="sent"}': 0 })
})

test('counts API requests by route pattern and status, unknown paths and methods together', async () => {
  const { requestId, requestLog } = await import('#api/middleware')
  const api = new Hono<ApiEnvironment>().use(requestId, requestLog)
  api.get('/api/things/:id', (c) => c.json({}, c.req.param('id') === '1' ? 200 : 500))
  for (const id of ['1', '1', '2']) await api.request(`/api/things/${id}?token=secret`)
  for (const path of ['/api/made-up-1', '/api/made-up-2']) {
    await api.request(path)
    await api.request(path, { method: 'PROPFIND' })
    await api.request(path, { method: 'SEARCH' })
  }
  const { counters, histograms } = readMetrics()
  const requests = Object.entries(counters).filter(([name]) => name.startsWith('http_requests_'))
  const series = (method: string, route: string, status: number) =>
    seriesName('http_requests_total', { method, route, status })
  expect(Object.fromEntries(requests)).toEqual({
    [series('GET', '/api/things/:id', 200)]: 2,
    [series('GET', '/api/things/:id', 500)]: 1,
    [series('GET', '/api/*', 404)]: 2,
    [series('other', '/api/*', 404)]: 4,
  })
  const durations = 'http_request_duration_seconds{method="GET",route="/api/things/:id"}'
  expect(histograms[durations]?.buckets.reduce((sum, number) => sum + number)).toBe(3)
})

test('writes histograms with cumulative buckets', () => {
  const durations = histogram('http_request_duration_seconds', { method: 'GET', route: '/"\\\n' })
  for (const seconds of [0.0005, 0.005, 0.3, 60])
    observe(durations ?? { bounds: [], buckets: [], sum: 0 }, seconds)
  const lines = formatSnapshot({ ...readMetrics(), gauges: {} }).split('\n')
  const own = lines.filter((line) => line.includes('route="/\\"\\\\\\n"'))
  expect(
    own.map((line) => line.replace(/^http_request_duration_seconds_|method=.*n",?/g, '')),
  ).toEqual([
    'bucket{le="0.001"} 1',
    'bucket{le="0.005"} 2',
    'bucket{le="0.01"} 2',
    'bucket{le="0.025"} 2',
    'bucket{le="0.05"} 2',
    'bucket{le="0.1"} 2',
    'bucket{le="0.25"} 2',
    'bucket{le="0.5"} 3',
    'bucket{le="1"} 3',
    'bucket{le="2.5"} 3',
    'bucket{le="5"} 3',
    'bucket{le="10"} 3',
    'bucket{le="+Inf"} 4',
    'sum{} 60.3055',
    'count{} 4',
  ])
})

const snapshot = (value: number): Snapshot => ({
  counters: { plinth_password_hashes_refused_total: value },
  histograms: {
    http_request_duration_seconds: { bounds: [1], buckets: [value, 0], sum: value / 2 },
  },
  gauges: { http_requests_in_flight: value, http_oldest_request_age_seconds: value },
})

test('adds up counters and histograms, and adds gauges or takes the largest', () => {
  expect(mergeSnapshots([snapshot(1), snapshot(2)])).toEqual({
    counters: { plinth_password_hashes_refused_total: 3 },
    histograms: { http_request_duration_seconds: { bounds: [1], buckets: [3, 0], sum: 1.5 } },
    gauges: { http_requests_in_flight: 3, http_oldest_request_age_seconds: 2 },
  })
  const ofExited = withoutGauges(snapshot(4))
  expect(mergeSnapshots([snapshot(1), ofExited])).toMatchObject({
    counters: { plinth_password_hashes_refused_total: 5 },
    gauges: { http_requests_in_flight: 1 },
  })
})

test('counts hashes that run, wait and are refused', async () => {
  const refused = () => readMetrics().counters.plinth_password_hashes_refused_total ?? 0
  const before = refused()
  const queue = createHashingQueue(1, 3)
  let finish = () => {}
  const running = queue.run(() => new Promise<void>((resolve) => (finish = resolve)))
  const waiting = queue.run(async () => {})
  expect(queue.use()).toEqual({ running: 1, waiting: 1 })
  await expect(queue.run(async () => {})).rejects.toThrow()
  expect(refused()).toBe(before + 1)
  finish()
  await Promise.all([running, waiting])
  expect(queue.use()).toEqual({ running: 0, waiting: 0 })
})

const declared = { ...counters, ...processCounters, ...histograms, ...gauges }

test('the table in docs/deploying.md lists every metric with its type', () => {
  const [, section = ''] = readFileSync('packages/plinth/docs/deploying.md', 'utf8').split(
    '\n## Metrics\n',
  )
  const rows = section.split('\n## ')[0]?.matchAll(/^\| `(\w+)` +\| (\w+) /gm) ?? []
  const types = [...rows].map(([, name = '', type]) => [name, type])
  const typeOf = (name: string) =>
    name in gauges ? 'gauge' : name in histograms ? 'histogram' : 'counter'
  expect(Object.fromEntries(types)).toEqual(
    Object.fromEntries(Object.keys(declared).map((name) => [name, typeOf(name)])),
  )
})

test.each(['alert-rules.yaml', 'grafana-dashboard.json'])('%s uses metrics that exist', (file) => {
  const text = readFileSync(`deploy/metrics/${file}`, 'utf8')
  const used = [...text.matchAll(/\b(?:http|plinth|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((name) => !(name in declared))).toEqual([])
})

type Rule = { alert?: string; expr: string; annotations?: { runbook_url?: string } }

const rules = (): Rule[] =>
  parse(readFileSync('deploy/metrics/alert-rules.yaml', 'utf8')).groups[0].rules

test('every alert has a runbook, and every runbook an alert', () => {
  const names = rules().flatMap(({ alert }) => alert ?? [])
  const runbooks = readFileSync('deploy/metrics/runbooks.md', 'utf8')
  expect([...runbooks.matchAll(/^## (.+)$/gm)].map(([, name]) => name).sort()).toEqual(names.sort())
  for (const { alert, annotations } of rules()) {
    if (alert)
      expect(annotations?.runbook_url).toBe(`deploy/metrics/runbooks.md#${alert.toLowerCase()}`)
  }
})

test('every alert and every panel selects the job', () => {
  for (const { alert, expr } of rules()) if (alert) expect(expr, alert).toContain('plinth:job')
  const { panels } = JSON.parse(readFileSync('deploy/metrics/grafana-dashboard.json', 'utf8'))
  const expressions: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  )
  const series = expressions.flatMap((expr) => [
    ...expr.matchAll(/\b(?:http|plinth|process|nodejs)_\w+(\{[^}]*\})?/g),
  ])
  expect(series.length).toBeGreaterThan(40)
  for (const [text, labels] of series) expect(labels, text).toContain('job="$job"')
})
