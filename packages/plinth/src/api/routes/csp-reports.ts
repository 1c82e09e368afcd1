import { z } from 'zod'
import { anyone } from '#guard/policy'
import { route } from '#guard/route'
import { cspReportPath } from '#http/headers'
import { count } from '#metrics/metrics'

/** The label of a metric is never what a caller has sent. */
const directives = new Set([
  'base-uri',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'worker-src',
])

/** The body that `report-uri` sends. */
const report = z.object({
  'csp-report': z.object({ 'effective-directive': z.string().default('') }),
})

/** The body that `report-to` sends, with reports of other kinds among them. */
const reports = z
  .array(
    z.object({
      type: z.string(),
      body: z.object({ effectiveDirective: z.string().default('') }).nullish(),
    }),
  )
  .max(100)

const body = z.union([report, reports])

/** Reports have URLs and text of the page, so that only their number is kept. */
export const cspReportRoutes = [
  route(
    {
      method: 'post',
      path: cspReportPath.replace('/api', ''),
      name: 'report_csp_violation',
      summary: 'Report a violation of the Content-Security-Policy',
      description: 'Sent by browsers. Reports are counted as a metric and not stored.',
      authorize: anyone,
      rateLimit: { times: 60, seconds: 60 },
      input: {
        body,
        mediaTypes: ['application/csp-report', 'application/reports+json'],
        example: { 'csp-report': { 'effective-directive': 'script-src-elem' } },
      },
      responses: { 204: { description: 'The reports are counted.' } },
    },
    ({ input }) => {
      for (const directive of violatedDirectives(input.body)) {
        const known = directives.has(directive) ? directive : 'other'
        count('plinth_csp_violations_total', { directive: known })
      }
      return undefined
    },
  ),
]

function violatedDirectives(sent: z.output<typeof body>): string[] {
  if (!Array.isArray(sent)) return [sent['csp-report']['effective-directive']]
  return sent
    .filter(({ type }) => type === 'csp-violation')
    .map(({ body }) => body?.effectiveDirective ?? '')
}
