import { api } from '@/api'

/** The same interface where Next is the host: `next dev`, and serverless platforms. */
const answer = (request: Request) => api.fetch(request)

export const dynamic = 'force-dynamic'
export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
}
