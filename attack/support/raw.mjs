import { once } from 'node:events'
import { connect } from 'node:net'

/** A socket to the server. Errors are expected: the server cuts connections. */
export async function openSocket(base) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port || 80), hostname.replace(/[[\]]/g, ''))
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Sends bytes, and returns what arrives until the server closes or is silent for a while. */
export async function exchange(base, bytes, silenceMs = 700) {
  const socket = await openSocket(base)
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
  })
  socket.write(Buffer.from(bytes, 'latin1'))
  socket.setTimeout(silenceMs, () => socket.destroy())
  await once(socket, 'close')
  return { received, statuses: statusesOf(received) }
}

function statusesOf(text) {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status))
}
