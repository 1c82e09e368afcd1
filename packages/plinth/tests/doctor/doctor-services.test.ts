import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkMail, checkRedis, checkTraces } from '#doctor/checks/services'
import { collectFacts } from '#doctor/facts'
import type { Finding } from '#modules/module'
import { freePort } from '#testing/server/server'
import { findRedis, startRedis } from '../../scripts/services/services.mjs'
import { startSmtpServer } from '../support/smtp-server'

const facts = (source: Record<string, string>) => collectFacts(source, undefined, process.cwd())
const describeAll = (findings: Finding[]) =>
  findings.map(({ level, check, message }) => `${level} ${check}: ${message}`)

const MAIL_FROM = 'app@example.com'

test('connects to the mail server', async () => {
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.close())
  expect(describeAll(await checkMail(facts({ SMTP_URL: smtp.url, MAIL_FROM })))).toEqual([
    'ok mail: Mail is sent through SMTP_URL, which accepts connections.',
  ])
  expect(smtp.connections()).toBe(1)
  expect(smtp.received).toEqual([])
})

test('reports a mail server that is unavailable, without the password', async () => {
  const SMTP_URL = `smtp://user:hunter2@127.0.0.1:${await freePort()}`
  const findings = await checkMail(facts({ SMTP_URL, MAIL_FROM }))
  expect(describeAll(findings)).toEqual([
    expect.stringMatching(/^error mail: SMTP_URL: the mail server is unavailable \(ESOCKET|ECONN/),
  ])
  expect(JSON.stringify(findings)).not.toContain('hunter2')
})

test.skipIf(!findRedis())('connects to Redis, and reports a wrong password', async () => {
  const redis = await startRedis(findRedis())
  onTestFinished(() => redis.stop())
  expect(describeAll(await checkRedis(facts({ REDIS_URL: redis.url })))).toEqual([
    'ok redis: Redis responds.',
  ])
})

test('reports a Redis that is unavailable, without the password', async () => {
  const REDIS_URL = `redis://:hunter2@127.0.0.1:${await freePort()}`
  const findings = await checkRedis(facts({ REDIS_URL }))
  expect(describeAll(findings)).toEqual([
    'error redis: REDIS_URL: Redis is unavailable (ECONNREFUSED).',
  ])
  expect(JSON.stringify(findings)).not.toContain('hunter2')
  expect(await checkRedis(facts({}))).toEqual([])
})

test('sends the receiver of traces an export without spans', async () => {
  const requests: { url?: string | undefined; authorization?: string | undefined; size: number }[] =
    []
  let status = 200
  const receiver = createServer(async (request, response) => {
    let size = 0
    for await (const chunk of request) size += chunk.length
    requests.push({ url: request.url, authorization: request.headers.authorization, size })
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  const source = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
  }
  expect(describeAll(await checkTraces(facts(source)))).toEqual([
    'ok traces: The receiver of traces responds.',
  ])
  expect(requests).toEqual([{ url: '/v1/traces', authorization: 'Bearer hunter2', size: 0 }])
  status = 401
  expect(describeAll(await checkTraces(facts(source)))).toEqual([
    `warning traces: The receiver of traces at http://127.0.0.1:${port}/v1/traces responds with 401.`,
  ])
  const unused = `http://127.0.0.1:${await freePort()}`
  expect(describeAll(await checkTraces(facts({ OTEL_EXPORTER_OTLP_ENDPOINT: unused })))).toEqual([
    `warning traces: The receiver of traces at ${unused} is unavailable (ECONNREFUSED).`,
  ])
  expect(await checkTraces(facts({}))).toEqual([])
})
