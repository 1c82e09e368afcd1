import { decide, discovery, keys, localProvider, token, user } from '../../endpoints'

/** A local OAuth provider for development. Not part of the production build. */
type Context = { params: Promise<{ provider: string; path: string[] }> }

async function handle(request: Request, { params }: Context): Promise<Response> {
  const { provider: id, path } = await params
  const provider = localProvider(id)
  if (!provider) return new Response(null, { status: 404 })
  switch (`${request.method} ${path.join('/')}`) {
    case 'GET .well-known/openid-configuration':
      return discovery(provider)
    case 'GET keys':
      return keys()
    case 'POST decide':
      return decide(provider, request)
    case 'POST login/oauth/access_token':
      return token(provider, request)
    case 'GET api/v3/user':
      return user(request, 'profile')
    case 'GET api/v3/user/emails':
      return user(request, 'emails')
    default:
      return new Response(null, { status: 404 })
  }
}

export { handle as GET, handle as POST }
