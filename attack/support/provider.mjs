import { once } from 'node:events'
import { createServer } from 'node:http'

/** An OAuth provider like GitHub, at which every code belongs to the same account. */
export async function startProvider() {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://127.0.0.1').pathname
    const body = answers.find(([pattern]) => pattern.test(path))?.[1]
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const email = 'thief@example.org'

const answers = [
  [/access_token$/, { access_token: 'attack', token_type: 'bearer', scope: 'user:email' }],
  [/\/emails$/, [{ email, primary: true, verified: true }]],
  [/\/user$/, { id: 4711, login: 'thief', name: 'Thief', email }],
]
