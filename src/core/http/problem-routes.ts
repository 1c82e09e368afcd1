import { Hono } from 'hono'
import type { ApiEnvironment } from '@/core/http/context'
import { Problem } from '@/core/http/problem'
import { type ProblemCode, problems } from '@/core/http/problems'

/** What the `type` of a problem points to. */
export const problemRoutes = new Hono<ApiEnvironment>()
  .get('/problems', (c) =>
    c.json({ problems: (Object.keys(problems) as ProblemCode[]).map(publicFace) }),
  )
  .get('/problems/:code', (c) => {
    const code = c.req.param('code')
    if (!Object.hasOwn(problems, code)) throw new Problem('not_found')
    return c.json(publicFace(code as ProblemCode))
  })

function publicFace(code: ProblemCode) {
  const [status, title, detail] = problems[code]
  return { code, status, title, detail }
}
