import { SpanStatusCode } from '@opentelemetry/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parseEnv } from '#config/env'
import { openExporter, openProvider } from '#server/tracing/provider'
import { attributesOf, exportTo, type OtlpReceiver, otlpReceiver } from '../support/otlp-receiver'

let receiver: OtlpReceiver

beforeAll(async () => {
  receiver = await otlpReceiver()
  for (const [name, value] of Object.entries(exportTo(receiver))) vi.stubEnv(name, value)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await receiver.close()
})

test('exports the types of errors and paths of URLs, not their text and their queries', async () => {
  const settings = parseEnv(process.env)
  const provider = openProvider(settings, await openExporter(settings))
  const span = provider.getTracer('a-package').startSpan('work')
  const secret = 'ada@example.com'
  span.recordException(new TypeError(`Failed query: params: ${secret}`))
  span.setStatus({ code: SpanStatusCode.ERROR, message: secret })
  span.setAttribute('http.url', `https://example.com/things?token=${secret}`)
  span.setAttribute('url.query', secret)
  span.end()
  await provider.shutdown()
  const [received] = receiver.spans()
  expect(received).toMatchObject({ name: 'work', status: { code: SpanStatusCode.ERROR } })
  expect(received && attributesOf(received)).toEqual({ 'http.url': 'https://example.com/things' })
  const exported = String(receiver.received[0]?.body)
  expect(exported).toContain('TypeError')
  expect(exported).not.toContain(secret)
})
