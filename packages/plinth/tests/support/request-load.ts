import { Agent, request } from 'node:http'

/** Session requests, sign-outs (POST) and pages over keep-alive connections, until it is stopped. */
export function startRequestLoad(url: string, token: string, concurrency = 6) {
  const agent = new Agent({ keepAlive: true })
  const failures: string[] = []
  let count = 0
  let running = true

  const kinds = [
    { method: 'GET', path: '/api/auth/session', headers: { authorization: `Bearer ${token}` } },
    { method: 'POST', path: '/api/auth/signout', headers: { 'x-auth-return-redirect': '1' } },
    { method: 'GET', path: '/sign-in', headers: {} },
    { method: 'POST', path: '/api/auth/signout', headers: { 'x-auth-return-redirect': '1' } },
  ]

  const loops = Array.from({ length: concurrency }, async (_, offset) => {
    for (let index = offset; running; index += 1) {
      const kind = kinds[index % kinds.length] as (typeof kinds)[number]
      const outcome = await send(kind).catch((error) => `${error.code} ${error.message}`)
      count += 1
      if (outcome !== '200') failures.push(`${kind.method} ${kind.path}: ${outcome}`)
    }
  })

  function send({ method, path, headers }: (typeof kinds)[number]): Promise<string> {
    return new Promise((resolve, reject) => {
      const sent = request(url + path, { method, headers, agent, timeout: 20_000 }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text) => {
          body += text
        })
        response.once('error', reject)
        response.once('end', () => resolve(body === 'null' ? 'null' : `${response.statusCode}`))
      })
      sent.once('timeout', () => sent.destroy(new Error('no response within 20 s')))
      sent.once('error', reject)
      sent.end()
    })
  }

  return {
    failures,
    count: () => count,
    async stop() {
      running = false
      await Promise.all(loops)
      agent.destroy()
    },
  }
}
