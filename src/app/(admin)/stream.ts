/** Generates the text only as fast as the client reads it, and stops when the client disconnects. */
export function textStream(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
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
