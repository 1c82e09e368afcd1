import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '@/core/db/postgres/postgres'
import { createCertificate } from '../support/certificate'

/** Accepts TLS as PostgreSQL does, and passes the decrypted bytes on to the test server. */
async function startTlsFront(): Promise<{ url: string; secured: () => number }> {
  const { cert, key } = createCertificate()
  const url = new URL(process.env.TEST_DATABASE_URL ?? '')
  const target = { host: url.hostname, port: Number(url.port) || 5432 }
  const sockets = new Set<Socket>()
  let secured = 0
  const server = createServer((raw) => {
    raw.once('data', () => {
      raw.write('S')
      const client = new TLSSocket(raw, { isServer: true, cert, key })
      client.once('secure', () => {
        secured += 1
      })
      const upstream = connect(target)
      client.on('error', () => upstream.destroy())
      upstream.on('error', () => client.destroy())
      client.pipe(upstream).pipe(client)
      for (const socket of [raw, upstream]) sockets.add(socket)
    })
    raw.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  url.port = String((server.address() as AddressInfo).port)
  url.searchParams.set('sslmode', 'require')
  return { url: url.href, secured: () => secured }
}

test('connects with TLS, and gives up on a slow server without an uncaught error', async () => {
  const { url, secured } = await startTlsFront()
  const connection = openPostgres({ url, poolSize: 2, timeoutMs: 300 })
  for (let round = 0; round < 3; round += 1) {
    await connection.ping()
    const slow = 'set statement_timeout = 0; select pg_sleep(2)'
    const attempts = [connection.query(slow, []), connection.query(slow, [])]
    const results = await Promise.allSettled(attempts)
    for (const result of results) {
      expect(result).toMatchObject({ reason: { code: 'DATABASE_TIMEOUT' } })
    }
  }
  await connection.close()
  expect(secured()).toBeGreaterThanOrEqual(6)
})
