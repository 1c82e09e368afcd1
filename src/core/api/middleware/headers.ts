import { createMiddleware } from 'hono/factory'
import { env } from '@/core/config/env'
import { apiHeaders } from '@/core/http/headers'
import type { ApiEnvironment } from '@/core/http/scope'

export const headers = createMiddleware<ApiEnvironment>(async (c, next) => {
  for (const [name, value] of Object.entries(apiHeaders(env().AUTH_URL))) c.header(name, value)
  await next()
})
