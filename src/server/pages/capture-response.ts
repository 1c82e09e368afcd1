import type { ServerResponse } from 'node:http'

type Callback = () => void

/**
 * Collects the body instead of sending it, and calls `end` with it. From then on the response writes
 * to the client again. If the client disconnects first, `end` is not called.
 */
export function captureResponse(response: ServerResponse, end: (body: Buffer) => void): void {
  const { writeHead, flushHeaders, write, end: originalEnd } = response
  const original = { writeHead, flushHeaders, write, end: originalEnd }
  const chunks: Uint8Array[] = []

  function collect(args: unknown[]): void {
    const [chunk, encoding] = args
    if (typeof chunk === 'string') {
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as 'utf8') : 'utf8'))
    } else if (ArrayBuffer.isView(chunk)) chunks.push(Buffer.from(chunk as Uint8Array))
    const written = args.findLast((argument) => typeof argument === 'function')
    if (written) queueMicrotask(written as Callback)
  }

  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      // Nothing was sent yet, so an error page replaces what was rendered before the error. Next's
      // compression calls this for every chunk, with the same status.
      if (status !== response.statusCode) chunks.length = 0
      response.statusCode = status
      const headers = rest.find((part) => typeof part === 'object' && part !== null) ?? {}
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      return response
    },
    flushHeaders() {},
    write(...args: unknown[]) {
      collect(args)
      return true
    },
    end(...args: unknown[]) {
      collect(args)
      Object.assign(response, original)
      end(Buffer.concat(chunks))
      return response
    },
  })
}
