import { createMiddleware } from 'hono/factory'
import type { ApiContext, ApiEnvironment } from '@/core/http/context'
import { Problem } from '@/core/http/problem'

const limit = 64 * 1024

/**
 * Refuses a large body by what it declares, or when it declares nothing by reading it no further
 * than the limit. (Hono's own puts a new Request around the stream, which needs its replacements of
 * the global classes; Next shares this process and keeps the runtime's.)
 */
export const limitBody = createMiddleware<ApiEnvironment>(async (c, next) => {
  const declared = c.req.header('content-length')
  if (declared !== undefined) {
    if (Number(declared) > limit) throw new Problem('body_too_large')
  } else if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && c.req.raw.body) {
    c.set('body', await readAtMost(limit, c.req.raw.body))
  }
  await next()
})

export async function bodyText(c: ApiContext): Promise<string> {
  const known = c.get('body')
  if (known !== undefined) return known
  const text = decode(await c.req.arrayBuffer())
  c.set('body', text)
  return text
}

/** What is no UTF-8 is refused: to replace it would be to store something else. */
function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('bad_request', { detail: 'The body is not valid UTF-8.' })
  }
}

async function readAtMost(most: number, body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  const next = () =>
    reader.read().catch(() => {
      // Whoever sent it has hung up: nobody is left to read the answer.
      throw new Problem('bad_request')
    })
  for (let part = await next(); !part.done; part = await next()) {
    size += part.value.byteLength
    if (size > most) {
      // Not waited for: the caller may go on sending for as long as it likes.
      reader.cancel().catch(() => {})
      throw new Problem('body_too_large')
    }
    chunks.push(part.value)
  }
  return decode(Buffer.concat(chunks))
}
