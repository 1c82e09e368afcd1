import { z } from 'zod'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { landing } from './content'

const answer = z.strictObject({
  headline: z.string(),
  lead: z.string(),
  layers: z.array(z.strictObject({ name: z.string(), holds: z.array(z.string()) })),
  claims: z.array(z.strictObject({ title: z.string(), text: z.string(), file: z.string() })),
  roles: z.array(z.strictObject({ role: z.string(), may: z.string() })),
  commands: z.array(z.strictObject({ command: z.string(), does: z.string() })),
})

export const api = [
  route(
    {
      method: 'get',
      path: '/demo/landing',
      name: 'demo_landing',
      summary: 'What the landing page shows',
      who: anyone,
      answers: { 200: { description: 'Its texts.', body: answer } },
    },
    (c) => c.json(landing),
  ),
]
