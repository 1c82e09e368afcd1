import { anyone } from 'plinth/guard/policy'
import { route } from 'plinth/guard/route'
import { z } from 'zod'
import { landing } from './content'

const landingContent = z.strictObject({
  headline: z.string(),
  lead: z.string(),
  features: z.array(z.strictObject({ title: z.string(), text: z.string() })),
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
