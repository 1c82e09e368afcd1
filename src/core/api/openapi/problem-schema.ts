import { z } from 'zod'
import { type ProblemCode, problems } from '@/core/http/problems'

export const problemSchema = z
  .strictObject({
    type: z.string().describe('The URL of a description of this problem.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]).describe('Stable.'),
    requestId: z.string().describe('Also in the header X-Request-Id and in the log.'),
    errors: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .optional()
      .describe('The invalid fields.'),
    url: z.string().optional().describe('For Auth.js’s client: the sign-in page with the error.'),
  })
  .meta({ id: 'Problem' })
