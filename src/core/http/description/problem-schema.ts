import { z } from 'zod'
import { type ProblemCode, problems } from '@/core/http/problems'

/** The body of everything that is not a success. */
export const problemSchema = z
  .strictObject({
    type: z.string().describe('The address of a description of this problem.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]).describe('Stable.'),
    requestId: z.string().describe('As in the header X-Request-Id and in the log.'),
    errors: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .optional()
      .describe('What is wrong with which field.'),
    url: z.string().optional().describe('For Auth.js’s client: the page that tells it to people.'),
  })
  .meta({ id: 'Problem' })
