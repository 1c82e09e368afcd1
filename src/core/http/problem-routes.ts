import { z } from 'zod'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { type ProblemCode, problems } from '@/core/http/problems'

const code = z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]])

const publicProblem = z.strictObject({
  code,
  status: z.int(),
  title: z.string(),
  detail: z.string(),
})

/** What the `type` of a problem points to. */
export const problemRoutes = [
  route(
    {
      method: 'get',
      path: '/problems',
      name: 'problems',
      summary: 'Every problem that an answer can be',
      who: anyone,
      answers: {
        200: {
          description: 'All of them.',
          body: z.strictObject({ problems: z.array(publicProblem) }),
        },
      },
    },
    (c) => c.json({ problems: code.options.map(publicFace) }),
  ),
  route(
    {
      method: 'get',
      path: '/problems/:code',
      name: 'problem',
      summary: 'One problem, by its code',
      who: anyone,
      takes: { params: z.object({ code }) },
      answers: { 200: { description: 'What it means.', body: publicProblem } },
      problems: ['not_found'],
    },
    (c, { params }) => c.json(publicFace(params.code)),
  ),
]

function publicFace(code: ProblemCode) {
  const [status, title, detail] = problems[code]
  return { code, status, title, detail }
}
