import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '#testing/program'
import { compileProgram } from '../support/compile-program'

const authenticated = Buffer.from('520000000800000000', 'hex')
const readyForQuery = Buffer.from('5a0000000549', 'hex')

/** A query of the driver's own has no caller, so its failure would end the process. */
test('survives a server that falls silent while a connection starts', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => socket.write(Buffer.concat([authenticated, readyForQuery])))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const program = await compileProgram('ping-databases.ts')
  const ping = run(process.execPath, [program, `postgres://x@127.0.0.1:${port}/x`], {
    DATABASE_TIMEOUT_MS: '200',
  })
  expect([await ping.exited, ping.output().trim()]).toEqual([0, 'DATABASE_TIMEOUT'])
})
