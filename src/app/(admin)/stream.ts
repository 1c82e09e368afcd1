/** Text as bytes, made only as fast as it is read. Whoever stops reading stops the making. */
export function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await parts.return(undefined)
      },
    },
    // Nothing in advance: a HEAD request never reads.
    { highWaterMark: 0 },
  )
}
