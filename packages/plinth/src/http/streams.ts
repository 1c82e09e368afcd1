import { restartDeadline } from '#db/deadline'

const chunkLength = 16 * 1024

/** The value as JSON, in chunks. An async iterable in it is an array, whose items are read as they come. */
export async function* jsonChunks(value: unknown): AsyncGenerator<string> {
  let chunk = ''
  for await (const part of jsonParts(value)) {
    chunk += part
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk) yield chunk
}

async function* jsonParts(value: unknown): AsyncGenerator<string> {
  if (isAsyncIterable(value)) {
    let separator = ''
    yield '['
    for await (const item of value) {
      yield `${separator}${JSON.stringify(item) ?? 'null'}`
      separator = ','
    }
    yield ']'
  } else if (isPlainObject(value)) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    for (const [index, [name, inner]] of entries.entries()) {
      yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
      yield* jsonParts(inner)
    }
    yield entries.length === 0 ? '{}' : '}'
  } else {
    yield JSON.stringify(value) ?? 'null'
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Not an array, a date or another object that has its own form in JSON. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}

/**
 * Generates the text only as fast as the client reads it, and stops when the client disconnects.
 * Each part may wait for the database as long as a whole request.
 */
export function textStream(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        restartDeadline()
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    // No read-ahead: a HEAD request never reads.
    { highWaterMark: 0 },
  )
}
