import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseConnection, lostConnection } from '#db/postgres/database-connection'
import { openPostgres } from '#db/postgres/postgres'
import { run } from '#testing/program'
import { freePort } from '#testing/server/server'
import { createCertificate } from '../support/certificate'
import { compileProgram } from '../support/compile-program'

type Front = { url: string; port: number; cert: string; secured: () => number }

/** Accepts TLS as PostgreSQL does, and passes the decrypted bytes on to the test server. */
async function startTlsFront(): Promise<Front> {
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
  const { port } = server.address() as AddressInfo
  url.port = String(port)
  url.searchParams.set('sslmode', 'require')
  return { url: url.href, port, cert, secured: () => secured }
}

test('connects with TLS, and gives up on a slow server without an uncaught error', async () => {
  const { url, secured } = await startTlsFront()
  const connection = openPostgres({ url, poolSize: 2, timeoutMs: 300 })
  for (let round = 0; round < 3; round += 1) {
    // On a busy machine opening the connection may take longer, too.
    await vi.waitFor(() => connection.ping(), 30_000)
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

test('a connection that is destroyed while a query is being sent fails without an uncaught error', async () => {
  const { url } = await startTlsFront()
  for (let turns = 0; turns < 6; turns += 1) {
    const connection = new DatabaseConnection(url, {})
    await connection.run(connection.sql`select 1`, 30_000)
    const query = connection.run(connection.sql`select 2`, 30_000)
    // The driver writes some turns of the event loop after it got the query.
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    connection.destroy(lostConnection())
    await expect(query).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
})

test('the certificate must have the name or IP address of the host that is connected', async () => {
  const { url, port, cert } = await startTlsFront()
  const folder = mkdtempSync(join(tmpdir(), 'plinth-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const authority = join(folder, 'authority.pem')
  writeFileSync(authority, cert)
  const unused = await freePort()
  const named = `localhost:${port}`
  const numbered = `127.0.0.1:${port}`
  const verified = url.replace('sslmode=require', 'sslmode=verify-full')
  // The certificate is for 127.0.0.1.
  const cases = [
    [numbered, 'ok'],
    [named, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [`${named},${numbered}`, 'ok'],
    [`127.0.0.1:${unused},${named}`, 'ECONNREFUSED'],
    [`${named},127.0.0.1:${unused}`, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const
  const urls = cases.map(([hosts]) => verified.replace(numbered, hosts))
  const program = await compileProgram('ping-databases.ts')
  const ping = run(process.execPath, [program, ...urls], { NODE_EXTRA_CA_CERTS: authority })
  expect(await ping.exited).toBe(0)
  expect(ping.output().trim().split('\n')).toEqual(cases.map(([, result]) => result))
})
