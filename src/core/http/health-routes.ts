import { z } from 'zod'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { isHealthy } from '@/core/http/health'
import { Problem } from '@/core/http/problem'

const healthy = z.strictObject({ status: z.literal('ok') })

export const healthRoutes = [
  route(
    {
      method: 'get',
      path: '/health',
      name: 'health',
      summary: 'Whether the application can work',
      description: 'Asks the database, at most once a second.',
      who: anyone,
      answers: { 200: { description: 'It can.', body: healthy } },
      problems: ['unhealthy'],
    },
    async (c) => {
      if (!(await isHealthy())) throw new Problem('unhealthy')
      return c.json({ status: 'ok' })
    },
  ),
  route(
    {
      method: 'get',
      path: '/health/live',
      name: 'health_live',
      summary: 'Whether the process runs',
      description: 'The process alone, whatever the database does.',
      who: anyone,
      answers: { 200: { description: 'It does.', body: healthy } },
    },
    (c) => c.json({ status: 'ok' }),
  ),
]
