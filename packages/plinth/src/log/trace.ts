/** Never a parameter of a statement, an email or a token: operators read spans. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanStart = {
  name: string
  /** `client`: another server does the work. */
  kind?: 'client' | 'internal'
  attributes?: Attributes
}

/** Adds attributes to the span. `error.type` marks it as failed. */
type Annotate = (attributes: Attributes) => void

export type TraceIds = { traceId: string; spanId: string }

export type RequestStart = {
  requestId: string
  method: string
  path: string
  header?: ((name: string) => string | undefined) | undefined
}

/** It ends when the response does, which may be after `run` has. */
export type RequestSpan = TraceIds & {
  run<Result>(work: () => Result): Result
  end(outcome: { method: string; route: string; status: number }): void
}

/** Implemented with OpenTelemetry, which is loaded only if it is configured. */
export type Tracing = {
  /** The ids of the innermost span. */
  current(): TraceIds | undefined
  startRequest(request: RequestStart): RequestSpan
  run<Result>(span: SpanStart, work: (annotate: Annotate) => Promise<Result>): Promise<Result>
  runOutside<Result>(work: () => Result): Result
  /** `traceparent` of the innermost span. */
  headers(): Record<string, string>
  shutDown(): Promise<void>
}

const state: { tracing?: Tracing } = {}

export function setTracing(tracing: Tracing | undefined): void {
  if (tracing) state.tracing = tracing
  else delete state.tracing
}

export function tracing(): Tracing | undefined {
  return state.tracing
}

export async function shutDownTracing(): Promise<void> {
  await state.tracing?.shutDown()
}

const ignore = () => {}

/** Without tracing it only calls `work`. */
export function inSpan<Result>(
  span: SpanStart,
  work: (annotate: Annotate) => Promise<Result>,
): Promise<Result> {
  return state.tracing ? state.tracing.run(span, work) : work(ignore)
}

/** Work that nothing waits for, such as the polls of the session cache, has no span of its own. */
export function inQuerySpan<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  if (!state.tracing?.current()) return run()
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
  return state.tracing.run({ name: summaryOf(text), kind: 'client', attributes }, run)
}

/** Such as `select users`. */
function summaryOf(text: string): string {
  const [operation = 'query'] = /[a-z]+/i.exec(text) ?? []
  const table = /\b(?:from|into|update)\s+"?([a-z_]+)/i.exec(text)?.[1]
  return [operation.toLowerCase(), ...(table ? [table] : [])].join(' ')
}

/** The span has the host only: a path may be secret. */
export function fetchInSpan(input: string | URL | Request, init: RequestInit = {}) {
  const current = state.tracing
  if (!current) return fetch(input, init)
  const sent = input instanceof Request ? input : undefined
  const { hostname, port } = new URL(sent?.url ?? String(input))
  const method = (init.method ?? sent?.method ?? 'GET').toUpperCase()
  const attributes = {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': port ? Number(port) : undefined,
  }
  return current.run({ name: `${method} ${hostname}`, kind: 'client', attributes }, async (add) => {
    const headers = new Headers(init.headers ?? sent?.headers)
    for (const [name, value] of Object.entries(current.headers())) headers.set(name, value)
    const response = await fetch(input, { ...init, headers })
    add({ 'http.response.status_code': response.status })
    if (response.status >= 400) add({ 'error.type': String(response.status) })
    return response
  })
}
