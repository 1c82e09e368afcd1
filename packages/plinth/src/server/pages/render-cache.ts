import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { serialize } from 'node:v8'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { RenderInput } from '#http/page-registry'

export type Render = (request: IncomingMessage, response: ServerResponse) => Promise<void>

type RenderedPage = { headers: OutgoingHttpHeaders; body: Buffer; compressed?: Buffer }

type Exchange = { request: IncomingMessage; response: ServerResponse }

type PolicyFor = (hashes: readonly string[]) => string

const compress = promisify(gzip)

/**
 * Whole documents by a digest of all that they were rendered from. The data is loaded for every
 * request; if nothing in it has changed, the document is sent again instead of rendered again.
 */
export function renderCache(megabytes: number, policyFor: PolicyFor) {
  const pages = new LRUCache<string, RenderedPage>({
    maxSize: Math.max(megabytes, 1) * 1024 * 1024,
    sizeCalculation: ({ body }) => body.length + overheadBytes,
  })

  /** Undefined if the page must be rendered. */
  function keyFor({ headers, method, url }: IncomingMessage, input: RenderInput | undefined) {
    if (megabytes === 0 || method !== 'GET' || !input) return undefined
    // Next's client asks for parts of pages with these, and an anonymous page is sent to others.
    if (Object.keys(headers).some((name) => nextHeader.test(name))) return undefined
    const origin = [headers.host, headers['x-forwarded-host'], headers['x-forwarded-proto']]
    return digestOf([url, origin, input])
  }

  async function respond(
    key: string,
    { request, response }: Exchange,
    render: Render,
    complete = (body: Buffer) => body,
  ): Promise<void> {
    const compressed = acceptsGzip(request)
    const cached = pages.get(key)
    if (cached) return sendPage(response, cached, compressed)
    // Kept uncompressed, so Next must not compress it.
    delete request.headers['accept-encoding']
    captureResponse(response, (body) => {
      if (response.statusCode !== 200) {
        response.end(body)
        return
      }
      const policy = String(response.getHeader('content-security-policy'))
      const page = {
        headers: {
          ...Object.fromEntries(kept.map((name) => [name, response.getHeader(name)])),
          'content-security-policy': policyFor(hashesOfNextScripts(body, policy)),
        },
        body: complete(body),
      }
      pages.set(key, page)
      sendPage(response, page, compressed).catch(() => response.destroy())
    })
    await render(request, response)
  }

  return { keyFor, respond }
}

const gzipAccepted = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/

export function acceptsGzip({ headers }: IncomingMessage): boolean {
  return gzipAccepted.test(String(headers['accept-encoding']))
}

export const nextHeader = /^(rsc|next-|x-nextjs-|x-middleware-|x-invoke-|x-matched-)/

/** The size of an entry besides its body, at most about: the compressed body and the headers. */
const overheadBytes = 16 * 1024

/** Headers that Next sets. All others are set for each response. */
const kept = ['content-type', 'cache-control', 'vary', 'link'] as const

/** Undefined if the data cannot be compared, for example because it contains a function. */
function digestOf(values: unknown[]): string | undefined {
  try {
    return createHash('sha256').update(serialize(values)).digest('base64')
  } catch {
    return undefined
  }
}

/**
 * The document's nonce is public once it was sent, so a document that is sent again needs hashes. Only
 * scripts that have the nonce are Next's own: an injected script does not know it.
 */
export function hashesOfNextScripts(body: Buffer, policy: string): string[] {
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  const [, ...scripts] = body.toString().split(`<script nonce="${nonce}"`)
  const inline = scripts.flatMap(
    (script) => /^(?: id="[^"]*")?>(.*?)<\/script>/s.exec(script)?.[1] ?? [],
  )
  return inline.map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`)
}

export async function sendPage(
  response: ServerResponse,
  page: RenderedPage,
  isCompressed: boolean,
): Promise<void> {
  for (const [name, value] of Object.entries(page.headers)) {
    if (value !== undefined) response.setHeader(name, value)
  }
  if (isCompressed) {
    page.compressed ??= await compress(page.body)
    response.setHeader('content-encoding', 'gzip')
  }
  const body = (isCompressed && page.compressed) || page.body
  response.setHeader('content-length', body.length)
  response.writeHead(200)
  response.end(body)
}

type Callback = () => void

/**
 * Collects the body instead of sending it, and calls `end` with it. From then on the response writes
 * to the client again. If the client disconnects first, `end` is not called.
 */
export function captureResponse(response: ServerResponse, end: (body: Buffer) => void): void {
  const { writeHead, flushHeaders, write, end: originalEnd } = response
  const original = { writeHead, flushHeaders, write, end: originalEnd }
  const chunks: Uint8Array[] = []

  function collect(args: unknown[]): void {
    const [chunk, encoding] = args
    if (typeof chunk === 'string') {
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as 'utf8') : 'utf8'))
    } else if (ArrayBuffer.isView(chunk)) chunks.push(Buffer.from(chunk as Uint8Array))
    const written = args.findLast((argument) => typeof argument === 'function')
    if (written) queueMicrotask(written as Callback)
  }

  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      // Nothing was sent yet, so an error page replaces what was rendered before the error. Next's
      // compression calls this for every chunk, with the same status.
      if (status !== response.statusCode) chunks.length = 0
      response.statusCode = status
      const headers = rest.find((part) => typeof part === 'object' && part !== null) ?? {}
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      return response
    },
    flushHeaders() {},
    write(...args: unknown[]) {
      collect(args)
      return true
    },
    end(...args: unknown[]) {
      collect(args)
      Object.assign(response, original)
      end(Buffer.concat(chunks))
      return response
    },
  })
}
