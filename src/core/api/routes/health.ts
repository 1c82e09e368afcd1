import { z } from 'zod'
import { singleton } from '@/core/config/singleton'
import { isHealthy } from '@/core/db/health'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { Problem } from '@/core/http/problems'

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

const state = singleton('draining', () => ({ draining: false }))

/** Whether this process is about to stop: load balancers should send requests elsewhere. */
export function isDraining(): boolean {
  return state.draining
}

export function startDraining(): void {
  state.draining = true
}
