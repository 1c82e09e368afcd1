import { z } from 'zod'
import { isHealthy } from '#db/health'
import { anyone } from '#guard/policy'
import { route } from '#guard/route'
import { isDraining } from '#http/draining'
import { Problem } from '#http/problems'

const healthy = z.strictObject({ status: z.literal('ok') })

export const healthRoutes = [
  route(
    {
      method: 'get',
      path: '/health',
      name: 'health',
      summary: 'Health check',
      description: 'Queries the database at most once a second.',
      authorize: anyone,
      responses: { 200: { description: 'The application is healthy.', body: healthy } },
      problems: ['unhealthy'],
    },
    async () => {
      if (!(await isHealthy())) throw new Problem('unhealthy')
      return { status: 'ok' as const }
    },
  ),
  route(
    {
      method: 'get',
      path: '/health/ready',
      name: 'health_ready',
      summary: 'Readiness check',
      description: 'The health check, and whether the server is shutting down.',
      authorize: anyone,
      responses: { 200: { description: 'The process accepts requests.', body: healthy } },
      problems: ['unhealthy'],
    },
    async () => {
      if (isDraining()) throw new Problem('unhealthy', { detail: 'The server is shutting down.' })
      if (!(await isHealthy())) throw new Problem('unhealthy')
      return { status: 'ok' as const }
    },
  ),
  route(
    {
      method: 'get',
      path: '/health/live',
      name: 'health_live',
      summary: 'Liveness check',
      description: 'Checks the process only, not the database.',
      authorize: anyone,
      responses: { 200: { description: 'The process is running.', body: healthy } },
    },
    () => ({ status: 'ok' as const }),
  ),
]
