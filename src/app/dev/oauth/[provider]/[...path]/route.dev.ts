import {
  authorizePage,
  decide,
  discovery,
  endpointsOf,
  keys,
  localProvider,
  token,
  user,
} from '../../endpoints'

/** A local OAuth provider for development. Not part of the production build. */
type Context = { params: Promise<{ provider: string; path: string[] }> }

async function handle(request: Request, { params }: Context): Promise<Response> {
  const { provider: id, path: parts } = await params
  const provider = localProvider(id)
  if (!provider) return new Response(null, { status: 404 })
  const path = parts.map(decodeURIComponent).join('/')
  const url = `${provider.url}/${path}`
  const endpoints = endpointsOf(provider)
  if (request.method === 'POST') {
    if (path === 'decide') return decide(provider, request)
    if (url === endpoints.token) return token(provider, request)
  } else {
    if (path === '.well-known/openid-configuration') return discovery(provider)
    if (path === 'keys') return keys()
    if (url === endpoints.authorization) return redirectToPage(provider.url, request)
    if (url.startsWith(endpoints.userinfo)) {
      return user(provider, request, url.slice(endpoints.userinfo.length))
    }
  }
  return new Response(null, { status: 404 })
}

function redirectToPage(base: string, request: Request): Response {
  return Response.redirect(`${base}/${authorizePage}${new URL(request.url).search}`)
}

export { handle as GET, handle as POST }
