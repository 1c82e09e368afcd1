import { createServer } from 'node:http'
import { Session } from 'node:inspector'

/** Preloaded into a server. Responds on its own port with the files of all scripts that the process has loaded. */
const files = new Set()
const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params }) => files.add(params.url))
session.post('Debugger.enable')

createServer((_, response) => response.end(JSON.stringify([...files])))
  .listen(Number(process.env.COPIES_PROBE_PORT), '127.0.0.1')
  .unref()
