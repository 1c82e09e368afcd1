import { createServer } from 'node:http'

/** The upper bound: Node with a constant response. */
const body = '{"status":"ok"}'

createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
