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
  } else if (c.req.header('transfer-encoding') !== undefined && c.req.raw.body) {
    c.set('body', await readAtMost(limit, c.req.raw.body))
  }
  await next()
})

export function bodyText(c: ApiContext): Promise<string> | string {
  return c.get('body') ?? c.req.text()
}

async function readAtMost(most: number, body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength
    if (size > most) {
      // Not waited for: the caller may go on sending for as long as it likes.
      reader.cancel().catch(() => {})
      throw new Problem('body_too_large')
    }
    chunks.push(part.value)
  }
  return Buffer.concat(chunks).toString()
}
