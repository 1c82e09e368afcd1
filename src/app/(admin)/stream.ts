import { restartDeadline } from '@/core/db/clock'

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
