import { Hono } from 'hono'
import type { ApiEnvironment } from '@/core/http/context'
import { isHealthy } from '@/core/http/health'
import { Problem } from '@/core/http/problem'

export const healthRoutes = new Hono<ApiEnvironment>()
  .get('/health', async (c) => {
    if (!(await isHealthy())) throw new Problem('unhealthy')
    return c.json({ status: 'ok' })
  })
  .get('/health/live', (c) => c.json({ status: 'ok' }))
