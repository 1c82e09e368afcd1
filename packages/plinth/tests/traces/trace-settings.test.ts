import { describe, expect, test } from 'vitest'
import { parseEnv } from '#config/env'
import { exportsTraces } from '#config/trace-settings'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }

const isOn = (settings: Record<string, string>) => exportsTraces(parseEnv(settings))

test('a receiver turns traces on', () => {
  expect(isOn({})).toBe(false)
  expect(isOn(endpoint)).toBe(true)
  expect(isOn({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/v1' })).toBe(true)
  expect(isOn({ OTEL_TRACES_EXPORTER: 'otlp' })).toBe(true)
  expect(isOn({ OTEL_SERVICE_NAME: 'shop' })).toBe(false)
})

test('two settings turn them off', () => {
  expect(isOn({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
  expect(isOn({ ...endpoint, OTEL_SDK_DISABLED: 'True' })).toBe(false)
})

describe('a value that is not supported', () => {
  test.each([
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      /_OTLP_PROTOCOL must be http\/protobuf or http\/json/,
    ],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }, /_TRACES_PROTOCOL must be http\/protobuf or/],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER must be otlp or none/],
    [
      { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
      /OTEL_TRACES_SAMPLER must be parentbased_always_on,/,
    ],
    [{ OTEL_TRACES_SAMPLER_ARG: '50' }, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    [{ OTEL_BSP_SCHEDULE_DELAY: 'soon' }, /OTEL_BSP_SCHEDULE_DELAY must be a whole number/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317' }, /OTLP_ENDPOINT must be a URL/],
  ])('%o stops the start', (settings, message) => {
    expect(() => parseEnv({ ...endpoint, ...settings })).toThrow(message)
  })

  test('matters only while traces are exported', () => {
    const platform = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray' }
    expect(isOn(platform)).toBe(false)
    expect(isOn({ ...endpoint, ...platform, OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
  })
})
