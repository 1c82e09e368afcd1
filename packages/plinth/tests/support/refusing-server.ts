import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export type RefusingServer = { port: number; close(): void }

const sslRequest = 80877103

/** Speaks as much of the protocol of PostgreSQL as refusing a connection takes. */
export async function startRefusingServer(code: string, message: string): Promise<RefusingServer> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      if (data.readInt32BE(4) !== sslRequest) return socket.end(errorResponse(code, message))
      socket.write('N')
      socket.once('data', () => socket.destroy())
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E0000')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
