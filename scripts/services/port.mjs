import { once } from 'node:events'
import { createServer } from 'node:net'

/** The wished port of 127.0.0.1 if nobody listens there, else any that is free. */
export async function freePort(wished = 0) {
  const server = createServer()
  try {
    server.listen(wished, '127.0.0.1')
    await once(server, 'listening')
    return server.address().port
  } catch (error) {
    if (wished === 0 || error.code !== 'EADDRINUSE') throw error
    return freePort()
  } finally {
    server.close()
  }
}
