import { z } from 'zod'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { landing } from './content'

const landingContent = z.strictObject({
  headline: z.string(),
  lead: z.string(),
  layers: z.array(z.strictObject({ name: z.string(), parts: z.array(z.string()) })),
  guarantees: z.array(z.strictObject({ title: z.string(), text: z.string(), file: z.string() })),
  roles: z.array(z.strictObject({ role: z.string(), description: z.string() })),
  commands: z.array(z.strictObject({ command: z.string(), description: z.string() })),
})

export const api = [
  route(
    {
      method: 'get',
      path: '/demo/landing',
      name: 'landing',
      summary: 'Get the landing page content',
      authorize: anyone,
      responses: { 200: { description: 'The text of the page.', body: landingContent } },
    },
    () => landing,
  ),
]
