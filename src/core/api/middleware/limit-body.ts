import { createMiddleware } from 'hono/factory'
import { readBodyUpTo } from '@/core/http/input'
import { Problem } from '@/core/http/problems'
import type { ApiEnvironment } from '@/core/http/scope'

const maxBytes = 64 * 1024

/**
 * Rejects a large body by its declared length, or reads it up to the limit. Hono's own middleware
 * wraps the stream in a new Request, which needs its replacements of the global classes; Next
 * shares this process and needs the originals.
 */
export const limitBody = createMiddleware<ApiEnvironment>(async (c, next) => {
  const declared = c.req.header('content-length')
  if (declared !== undefined) {
    if (Number(declared) > maxBytes) throw new Problem('body_too_large')
  } else if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && c.req.raw.body) {
    c.set('body', await readBodyUpTo(maxBytes, c.req.raw.body))
  }
  await next()
})
