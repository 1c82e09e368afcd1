import { once } from 'node:events'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { endDraining, startDraining } from '#http/draining'
import { httpServer, listen } from '#server/http-server'
import { drain } from '#server/lifecycle'

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const opened: Socket[] = []

afterEach(() => {
  endDraining()
  for (const socket of opened.splice(0)) socket.destroy()
})

async function serve(listener: RequestListener): Promise<Server> {
  const server = httpServer(listener)
  await listen(server, 0, '127.0.0.1')
  return server
}

async function open(server: Server): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  opened.push(socket)
  await once(socket, 'connect')
  return socket
}

/** The text up to the end of the body of `ok`. */
async function receive(socket: Socket): Promise<string> {
  let received = ''
  while (!received.endsWith('\r\n\r\nok')) received += (await once(socket, 'data'))[0]
  return received
}

const respond = (response: ServerResponse) => response.setHeader('content-length', 2).end('ok')

test('closes each connection after its response while it drains', async () => {
  const running: ServerResponse[] = []
  const server = await serve((_, response) => {
    if (running.push(response) > 2) respond(response)
  })
  const [before, idle] = [await open(server), await open(server)]
  for (const socket of [before, idle]) {
    socket.write(request)
    await once(server, 'request')
  }
  respond(running[1] as ServerResponse)
  expect(await receive(idle)).toMatch(/connection: keep-alive/i)

  startDraining()
  const during = await open(server)
  for (const socket of [during, idle]) {
    socket.write(request)
    expect(await receive(socket)).toMatch(/connection: close/i)
  }
  respond(running[0] as ServerResponse)
  expect(await receive(before)).toMatch(/connection: close/i)
  await drain(server, { delayMs: 1 })
  expect(server.listening).toBe(false)
})

test('answers a request that was on its way on an idle connection', async () => {
  const server = await serve((_, response) => respond(response))
  const [used, unused] = [await open(server), await open(server)]
  for (const socket of [used, unused]) {
    socket.write(request)
    await receive(socket)
  }
  const closed = once(unused.resume(), 'close')
  const drained = drain(server, {})
  while (server.listening) await nextTurn()
  used.write(request)
  expect(await receive(used)).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i)
  await drained
  await closed
})

test('answers requests on connections that waited to be accepted', async () => {
  const server = await serve((_, response) => respond(response))
  const { port } = server.address() as AddressInfo
  const clients = Array.from({ length: 5 }, () => connect(port, '127.0.0.1'))
  opened.push(...clients)
  const drained = drain(server, {})
  for (const client of clients) client.write(request)
  expect(await Promise.all(clients.map(receive))).toHaveLength(5)
  await drained
})

test('sends a finished response to a slow client before it closes the connection', async () => {
  const body = Buffer.alloc(24 * 1024 * 1024)
  const server = await serve((_, response) => response.end(body))
  const client = await open(server)
  client.write(request)
  await once(server, 'request')
  const drained = drain(server, { lingerMs: 0 })
  let received = 0
  for await (const chunk of client) {
    received += chunk.length
    await sleep(1)
  }
  expect(received).toBeGreaterThan(body.length)
  await drained
})
