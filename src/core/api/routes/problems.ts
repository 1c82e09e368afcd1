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

/** The targets of the `type` of a problem. */
export const problemRoutes = [
  route(
    {
      method: 'get',
      path: '/problems',
      name: 'problems',
      summary: 'List all problems',
      authorize: anyone,
      responses: {
        200: {
          description: 'All problems.',
          body: z.strictObject({ problems: z.array(publicProblem) }),
        },
      },
    },
    () => ({ problems: code.options.map(toPublicProblem) }),
  ),
  route(
    {
      method: 'get',
      path: '/problems/:code',
      name: 'problem',
      summary: 'Get a problem by its code',
      authorize: anyone,
      input: { params: z.object({ code }) },
      responses: { 200: { description: 'The problem.', body: publicProblem } },
      problems: ['not_found'],
    },
    ({ input: { params } }) => toPublicProblem(params.code),
  ),
]

function toPublicProblem(code: ProblemCode) {
  const [status, title, detail] = problems[code]
  return { code, status, title, detail }
}
