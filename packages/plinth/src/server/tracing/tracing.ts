import { setTimeout as pause } from 'node:timers/promises'
import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type TextMapGetter,
  type TextMapPropagator,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Env } from '#config/env'
import {
  type Attributes,
  type RequestSpan,
  type RequestStart,
  setTracing,
  type Tracing,
} from '#log/trace'
import { openExporter, openProvider } from '#server/tracing/provider'

/** Spans that a receiver has not taken by then are lost. */
const shutdownTimeoutMs = 2_000

/** Registered for the whole process, so that spans of Next and of other packages join our traces. */
export async function startTracing(settings: Env): Promise<void> {
  const provider = openProvider(settings, await openExporter(settings))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(settings.TRUST_PROXY > 0 ? traceparent : withoutCallers)
  trace.setGlobalTracerProvider(inOurRequests(provider))
  setTracing({
    current: currentIds,
    startRequest: (request) => startRequest(request, new URL(settings.AUTH_URL)),
    run,
    runOutside: (work) => context.with(ROOT_CONTEXT, work),
    headers: currentHeaders,
    async shutDown() {
      const flushed = provider.shutdown().catch(() => {})
      await Promise.race([flushed, pause(shutdownTimeoutMs, undefined, { ref: false })])
    },
  })
}

/** Without `tracestate`: what other systems wrote into it is not for those that we call. */
class TraceparentPropagator extends W3CTraceContextPropagator {
  override extract(given: Context, carrier: unknown, getter: TextMapGetter): Context {
    return super.extract(given, carrier, {
      keys: (read) => getter.keys(read),
      get: (read, name) => (name === 'traceparent' ? getter.get(read, name) : undefined),
    })
  }
}

const traceparent = new TraceparentPropagator()

/** Where Next is the host, it reads the header before `startRequest` does. */
const withoutCallers: TextMapPropagator = {
  inject: (...args) => traceparent.inject(...args),
  extract: (given) => given,
  fields: () => traceparent.fields(),
}

const tracer = () => trace.getTracer('plinth')

function currentIds() {
  return idsOf(trace.getActiveSpan())
}

function idsOf(span: Span | undefined) {
  const found = span?.spanContext()
  return found && trace.isSpanContextValid(found)
    ? { traceId: found.traceId, spanId: found.spanId }
    : undefined
}

function currentHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}

/** Where Next is the host, a request already has a span of Next. */
function startRequest({ requestId, method, path, header }: RequestStart, url: URL): RequestSpan {
  const active = context.active()
  const caller = trace.getSpan(active)
    ? active
    : traceparent.extract(active, header, { get: (_, name) => header?.(name), keys: () => [] })
  const attributes = {
    'url.path': path,
    'url.scheme': url.protocol.slice(0, -1),
    'server.address': url.hostname,
    'plinth.request_id': requestId,
  }
  const span = tracer().startSpan(method, { kind: SpanKind.SERVER, attributes }, caller)
  const inSpan = trace.setSpan(caller, span)
  return {
    ...span.spanContext(),
    run: (work) => context.with(inSpan, work),
    end(outcome) {
      const known = outcome.method !== 'other'
      span.updateName(`${known ? outcome.method : 'HTTP'} ${outcome.route}`)
      annotate(span, {
        'http.request.method': known ? outcome.method : '_OTHER',
        'http.route': outcome.route,
        'http.response.status_code': outcome.status,
        'error.type': outcome.status >= 500 ? String(outcome.status) : undefined,
      })
      span.end()
    },
  }
}

const run: Tracing['run'] = ({ name, kind = 'internal', attributes = {} }, work) => {
  const options = {
    kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    attributes: { ...attributes },
  }
  return tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await work((added) => annotate(span, added))
    } catch (error) {
      annotate(span, { 'error.type': errorType(error) })
      throw error
    } finally {
      span.end()
    }
  })
}

function annotate(span: Span, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) span.setAttribute(name, value)
  }
  if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Its code, such as that of PostgreSQL; the message is in the log only, because it may have values. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

const requestSpan = 'BaseServer.handleRequest'
const fetchSpan = 'AppRender.fetch'

/**
 * Leaves spans of Next out; what happens in them belongs to the span around them. Its span of a request
 * repeats ours, with the query of the URL, which may hold a token. Its spans of fetch are named by the
 * whole URL. Those of its start belong to no request.
 */
function inOurRequests(provider: TracerProvider): TracerProvider {
  return {
    getTracer(name, version, options) {
      const tracer = provider.getTracer(name, version, options)
      return name === 'next.js' ? withoutHidden(tracer) : tracer
    },
  }
}

type Work = (span: Span) => unknown

function withoutHidden(tracer: Tracer): Tracer {
  const startActiveSpan = (name: string, options: SpanOptions, work: Work) => {
    const around = trace.getActiveSpan()
    const type = options.attributes?.['next.span_type']
    // Where Next is the host, its span of the request is the first.
    const isShown = around ? type !== requestSpan && type !== fetchSpan : type === requestSpan
    if (isShown) return tracer.startActiveSpan(name, options, work)
    // It records nothing and does not end the span around it.
    return work(trace.wrapSpanContext(around?.spanContext() ?? INVALID_SPAN_CONTEXT))
  }
  return {
    startSpan: (...args) => tracer.startSpan(...args),
    startActiveSpan: startActiveSpan as Tracer['startActiveSpan'],
  }
}
