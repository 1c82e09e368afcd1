import { readFileSync } from 'node:fs'
import type { Attributes } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode, parseKeyPairsIntoRecord } from '@opentelemetry/core'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Env } from '#config/env'
import { traceProtocol } from '#config/trace-settings'
import { errorMessage } from '#log/errors'
import { log } from '#log/log'

/** A statement that inserts many rows has many placeholders. */
const attributeValueLengthLimit = 10_000

export function openProvider(settings: Env, exporter: SpanExporter): TracerProvider {
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
    exportTimeoutMillis: settings.OTEL_BSP_EXPORT_TIMEOUT,
    maxQueueSize: settings.OTEL_BSP_MAX_QUEUE_SIZE,
    maxExportBatchSize: settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
  })
  return new TracerProvider({
    resource: describeProcess(settings),
    sampler: samplerOf(settings),
    spanProcessors: [processor],
    spanLimits: { attributeValueLengthLimit },
  })
}

/** OTEL_RESOURCE_ATTRIBUTES, which the SDK reads, win over package.json, and OTEL_SERVICE_NAME over both. */
function describeProcess({ OTEL_SERVICE_NAME }: Env): Resource {
  const { name, version }: { name?: string; version?: string } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  const packaged = resourceFromAttributes({ 'service.name': name, 'service.version': version })
  const detected = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })
  const named = resourceFromAttributes(
    OTEL_SERVICE_NAME ? { 'service.name': OTEL_SERVICE_NAME } : {},
  )
  return defaultResource().merge(packaged).merge(detected).merge(named)
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Env): Sampler {
  const root = rootSampler(name.replace('parentbased_', ''), ratio)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio)
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler()
}

/** The exporter reads the timeout, the compression and certificates itself. */
export async function openExporter(settings: Env): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    traceProtocol(settings) === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  const headers = receiverHeaders(settings)
  const exporter = new OTLPTraceExporter({ url: receiverUrl(settings), headers })
  const report = outageReport()
  return {
    export(spans, done) {
      exporter.export(spans.map(withoutSecrets), (result) => {
        report(result)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  }
}

const defaultEndpoint = 'http://localhost:4318'

export function receiverHeaders(settings: Env): Record<string, string> {
  return parseKeyPairsIntoRecord(settings.OTEL_EXPORTER_OTLP_HEADERS)
}

export function receiverUrl(settings: Env): string {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = defaultEndpoint } = settings
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  return settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? url
}

/** A line when the receiver stops taking spans, and one when it takes them again. */
function outageReport(): (result: ExportResult) => void {
  let failing = false
  return ({ code, error }) => {
    const failed = code === ExportResultCode.FAILED
    if (failed && !failing) log().warn({ reason: errorMessage(error) }, 'traces not exported')
    if (!failed && failing) log().info('traces exported again')
    failing = failed
  }
}

/**
 * Next and other packages record errors and URLs. The message of a failed query has its parameters,
 * and a query of a URL may hold a token. The log has the errors, by trace id.
 */
function withoutSecrets(span: ReadableSpan): ReadableSpan {
  const { code } = span.status
  const events = span.events.map(({ attributes, ...event }) => ({
    ...event,
    attributes: withoutErrorText(attributes),
  }))
  return Object.create(span, {
    status: { value: { code } },
    events: { value: events },
    attributes: { value: withoutQueries(span.attributes) },
  })
}

function withoutErrorText(attributes: Attributes = {}): Attributes {
  const { 'exception.message': _, 'exception.stacktrace': __, ...rest } = attributes
  return rest
}

const urlAttributes = ['http.target', 'http.url', 'url.full', 'next.route']

function withoutQueries({ 'url.query': _, ...attributes }: Attributes): Attributes {
  for (const name of urlAttributes) {
    const url = attributes[name]
    if (typeof url === 'string') attributes[name] = url.split('?', 1)[0]
  }
  return attributes
}
