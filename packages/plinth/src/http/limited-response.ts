/** Reads the body of another server's response, which must not fill our memory. Throws above the limit. */
export async function readResponseUpTo(max: number, { body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop closes the connection.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > max) throw new Error(`The response is longer than ${max} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
