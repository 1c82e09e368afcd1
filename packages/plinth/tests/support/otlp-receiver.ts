import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean }

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 1 internal, 2 server, 3 client. */
  kind?: number
  attributes?: { key: string; value: Value }[]
  status?: { code?: number; message?: string }
  /** The package that made it. */
  scope?: string
}

type Received = { path: string; headers: Record<string, unknown>; body: Buffer }

/** A receiver of OTLP over HTTP, as JSON or as protobuf. */
export async function otlpReceiver(port = 0) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const sent = Buffer.concat(chunks)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    received.push({ path: request.url ?? '', headers: request.headers, body })
    const isJson = request.headers['content-type'] === 'application/json'
    response.setHeader('content-type', request.headers['content-type'] ?? '')
    response.end(isJson ? '{}' : '')
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () => received.flatMap(readSpans),
    resources: () =>
      received.filter(isJson).flatMap(({ body }) => JSON.parse(String(body)).resourceSpans),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type OtlpReceiver = Awaited<ReturnType<typeof otlpReceiver>>

/** The settings of a server that exports to it soon. */
export function exportTo(receiver: { url: string }, protocol = 'http/json') {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }
}

export function attributesOf({ attributes = [] }: ReceivedSpan): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

function isJson({ headers }: Received): boolean {
  return headers['content-type'] === 'application/json'
}

function readSpans(received: Received): ReceivedSpan[] {
  if (!isJson(received)) return readProtobufSpans(received.body)
  type Scoped = { scope: { name: string }; spans: ReceivedSpan[] }
  const { resourceSpans } = JSON.parse(String(received.body)) as {
    resourceSpans: { scopeSpans: Scoped[] }[]
  }
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => ({ ...span, scope: scope.name }))),
  )
}

/** The numbers are those of the fields in opentelemetry/proto/trace/v1/trace.proto. */
function readProtobufSpans(body: Buffer): ReceivedSpan[] {
  const spans = [body]
    .flatMap(fieldsNumbered(1))
    .flatMap(fieldsNumbered(2))
    .flatMap(fieldsNumbered(2))
  return spans.map((span) => {
    const [traceId, spanId, parent, name] = [1, 2, 4, 5].map(
      (field) => fieldsNumbered(field)(span)[0],
    )
    return {
      traceId: traceId?.toString('hex') ?? '',
      spanId: spanId?.toString('hex') ?? '',
      ...(parent?.length ? { parentSpanId: parent.toString('hex') } : {}),
      name: name?.toString() ?? '',
    }
  })
}

/** The fields with a length: messages, text and bytes. */
function fieldsNumbered(wanted: number): (message: Buffer) => Buffer[] {
  return (message) => {
    const found: Buffer[] = []
    let offset = 0
    const readNumber = () => {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = message.readUInt8(offset)
        offset += 1
        value += (byte & 127) * 2 ** shift
        if (byte < 128) return value
      }
    }
    while (offset < message.length) {
      const tag = readNumber()
      const type = tag % 8
      if (type === 0) readNumber()
      else if (type === 1) offset += 8
      else if (type === 5) offset += 4
      else {
        const length = readNumber()
        if (Math.floor(tag / 8) === wanted) found.push(message.subarray(offset, offset + length))
        offset += length
      }
    }
    return found
  }
}
