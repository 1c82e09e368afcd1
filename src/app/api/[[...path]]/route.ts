import { createApi } from 'plinth/api/api'
import { requestContext } from 'plinth/http/request-context'
import { modules } from '@/modules'

/** Made again after an edit of a module, as is the layout, which registers the app. */
const api = createApi(modules)

/**
 * The HTTP API where Next is the host: `next dev` and serverless platforms. Our own server sends
 * nothing here; a path that Next alone takes for the API would reach it without the client's IP.
 */
async function handle(request: Request): Promise<Response> {
  if (requestContext()) return new Response(null, { status: 404 })
  return api.fetch(request)
}

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
