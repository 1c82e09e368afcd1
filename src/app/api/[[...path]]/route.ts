import { api } from '@/api'

/** The HTTP API where Next is the host: `next dev` and serverless platforms. */
const handle = (request: Request) => api.fetch(request)

export const dynamic = 'force-dynamic'
export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
