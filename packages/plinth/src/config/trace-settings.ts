import { z } from 'zod'
import { url, wholeNumber } from '#config/setting-types'

/** The standard settings of OpenTelemetry that we read; the exporter reads others itself. */
export const traceSettings = {
  OTEL_SDK_DISABLED: z.string().default('false'),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http:', 'https:').optional(),
  /** For the receiver, often with a token. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.string().default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(1, 600_000).default(5_000),
  OTEL_BSP_EXPORT_TIMEOUT: wholeNumber(1, 600_000).default(30_000),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(1, 1_000_000).default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: wholeNumber(1, 100_000).default(512),
}

type Values = z.output<z.ZodObject<typeof traceSettings>>

/** A receiver is named, and nothing turns it off. */
export function exportsTraces(value: Values): boolean {
  if (value.OTEL_SDK_DISABLED.toLowerCase() === 'true') return false
  if (value.OTEL_TRACES_EXPORTER !== undefined) return value.OTEL_TRACES_EXPORTER !== 'none'
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = value
  return (OTEL_EXPORTER_OTLP_ENDPOINT ?? OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined
}

const traceProtocols = ['http/protobuf', 'http/json'] as const

const traceSamplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

export function traceProtocol(value: Values): string {
  return value.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? value.OTEL_EXPORTER_OTLP_PROTOCOL
}

type SettingError = { name: string; message: string }

/**
 * Only while traces are exported: platforms set some of these for every process, with values for other
 * signals or other programs.
 */
export function traceSettingErrors(value: Values): SettingError[] {
  if (!exportsTraces(value)) return []
  const { OTEL_TRACES_EXPORTER = 'otlp', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL } = value
  const protocolName =
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL === undefined
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
      : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  return [
    ...oneOf('OTEL_TRACES_EXPORTER', OTEL_TRACES_EXPORTER, ['otlp', 'none']),
    ...oneOf(protocolName, traceProtocol(value), traceProtocols),
    ...oneOf('OTEL_TRACES_SAMPLER', value.OTEL_TRACES_SAMPLER, traceSamplers),
  ]
}

function oneOf(name: string, value: string, known: readonly string[]): SettingError[] {
  if (known.includes(value)) return []
  return [{ name, message: `must be ${known.slice(0, -1).join(', ')} or ${known.at(-1)}` }]
}
