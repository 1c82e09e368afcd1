import { createServer } from 'node:http'

/** The limit: what Node answers when nothing at all is done for a request. */
const body = '{"status":"ok"}'

createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
