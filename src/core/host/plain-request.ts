export type PlainRequest = {
  requestId: string | undefined
  cookie: string | undefined
  authorization: string | undefined
}

const names = new Map([
  ['x-request-id', 'requestId'],
  ['cookie', 'cookie'],
  ['authorization', 'authorization'],
] as const)

/** What these say, the interface has to look at. */
const notPlain = new Set(['origin', 'content-length', 'transfer-encoding'])

const lengths = new Set([...notPlain, ...names.keys()].map((name) => name.length))

/**
 * What a hot answer needs to know of a request, in one pass over the headers as received: asking
 * for `headers` would first put all of them into an object. Undefined when there is anything about
 * it that only the interface can judge, such as a header that is there twice.
 */
export function readPlain(rawHeaders: readonly string[]): PlainRequest | undefined {
  if (rawHeaders.length > 200) return undefined
  const plain: PlainRequest = {
    requestId: undefined,
    cookie: undefined,
    authorization: undefined,
  }
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!lengths.has(name.length)) continue
    const lower = name.toLowerCase()
    if (notPlain.has(lower)) return undefined
    const field = names.get(lower as 'cookie')
    if (field === undefined) continue
    if (plain[field] !== undefined) return undefined
    plain[field] = rawHeaders[index + 1]
  }
  return plain
}
