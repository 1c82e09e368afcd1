import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Server, startServer } from '#testing/server/server'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const folder = mkdtempSync(join(tmpdir(), 'plinth-slow-readers-'))
const clients: Socket[] = []
let server: Server

beforeAll(async () => {
  server = await startServer({ DATA_DIR: folder, DATABASE_URL: '' })
})

afterAll(async () => {
  for (const client of clients) client.destroy()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function openSockets(): number {
  const descriptors = `/proc/${server.pid}/fd`
  return readdirSync(descriptors).filter((name) => isSocket(join(descriptors, name))).length
}

function isSocket(descriptor: string): boolean {
  try {
    return readlinkSync(descriptor).startsWith('socket:')
  } catch {
    return false
  }
}

function memoryInMegabytes(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

test('closes the connections of 300 clients that never read', async () => {
  // More than the kernel keeps for a client that does not read.
  const requests = 'GET /api/docs HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60)
  await (await fetch(`${server.url}/api/health`)).text()
  const before = { sockets: openSockets(), memory: memoryInMegabytes() }
  for (let count = 0; count < 300; count += 1) {
    const client = connect(Number(new URL(server.url).port), '127.0.0.1').pause()
    client.on('error', () => {})
    clients.push(client)
    await once(client, 'connect')
    client.write(requests)
  }
  let memory = before.memory
  const isClosed = () => {
    memory = Math.max(memory, memoryInMegabytes())
    expect(openSockets()).toBeLessThanOrEqual(before.sockets)
  }
  await vi.waitFor(() => expect(openSockets()).toBeGreaterThan(before.sockets + 100), 60_000)
  await vi.waitFor(isClosed, { timeout: 150_000, interval: 500 })
  // Each was served as far as the kernel keeps it, and then closed.
  const ended = clients.map((client) => once(client, 'close'))
  for (const client of clients) client.resume()
  await Promise.all(ended)
  for (const client of clients) expect(client.bytesRead).toBeGreaterThan(0)
  process.stdout.write(
    `memory: ${before.memory} MB, ${memory} MB with 300 clients, ${memoryInMegabytes()} MB after\n`,
  )
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
})
