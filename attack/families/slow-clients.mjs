import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { healthDuring } from '../support/health.mjs'
import { openSocket } from '../support/raw.mjs'
import { send } from '../support/send.mjs'
import { verdict } from '../verdict.mjs'

const others = 'Slow clients keep others from being served.'

export const slowClients = [
  { name: 'idle connections', bypass: others, run: (target) => hold(target, 300, '') },
  {
    name: 'slow headers',
    bypass: others,
    run: (target) => hold(target, 100, 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-A: '),
  },
  {
    name: 'slow bodies',
    bypass: others,
    run: (target) => hold(target, 100, `${slowBody}{`),
  },
  {
    name: 'slow bodies of actions',
    bypass: others,
    run: (target) => hold(target, 50, slowAction),
  },
  {
    name: 'clients that do not read',
    bypass: others,
    run: (target) => holdUnread(target, 30, 60),
  },
  {
    name: 'slow headers are cut',
    bypass: 'A client holds a connection for as long as it likes.',
    full: true,
    run: (target) => expectCut(target, 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-A: ', 20_000),
  },
  {
    name: 'slow bodies are cut',
    bypass: 'A client holds a connection for as long as it likes.',
    full: true,
    run: (target) => expectCut(target, `${slowBody}{`, 45_000),
  },
]

const slowBody =
  'POST /api/auth/signin HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n'
const slowAction =
  'POST /forgot HTTP/1.1\r\nHost: x\r\nNext-Action: x\r\nContent-Type: text/plain\r\nContent-Length: 60000\r\n\r\n['
const largeResponse = '/api/docs'

/**
 * Clients that ask for large responses and read none. Others must not wait longer than if each response
 * were read, which takes time in proportion to the speed of the machine.
 */
async function holdUnread(target, clients, requests) {
  const started = performance.now()
  for (let count = 0; count < requests; count += 1) {
    await (await send(target.url, largeResponse)).arrayBuffer()
  }
  const readMs = performance.now() - started
  const pipelined = `GET ${largeResponse} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requests)
  return hold(target, clients, pipelined, { reads: false, addedMs: clients * readMs })
}

/** Opens many connections that send one byte now and then, and asks for the health check. */
async function hold({ url, quick }, count, start, { reads = true, addedMs = 0 } = {}) {
  const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(url)))
  for (const socket of sockets) {
    if (reads) socket.resume()
    else socket.pause()
    socket.write(start)
  }
  const dripping = drip(sockets, quick ? 600 : 4000, reads && start !== '')
  const evidence = await healthDuring(url, dripping, addedMs)
  for (const socket of sockets) socket.destroy()
  return verdict(count, evidence)
}

async function drip(sockets, milliseconds, sends) {
  for (let elapsed = 0; elapsed < milliseconds; elapsed += 200) {
    if (sends) for (const socket of sockets) socket.write('a')
    await sleep(200)
  }
}

/** The server ends the connection although a byte arrives every second. */
async function expectCut({ url }, start, limitMs) {
  const socket = await openSocket(url)
  socket.resume().write(start)
  const timer = setInterval(() => socket.write('a'), 1000)
  const outcome = await Promise.race([once(socket, 'close').then(() => 'cut'), sleep(limitMs)])
  clearInterval(timer)
  socket.destroy()
  return verdict(1, outcome === 'cut' ? [] : [`The connection was open after ${limitMs / 1000} s.`])
}
