export type PlainRequest = {
  requestId: string | undefined
  cookie: string | undefined
  authorization: string | undefined
}

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
    const field = fieldOf(rawHeaders[index] ?? '')
    if (field === undefined) continue
    if (field === 'notPlain' || plain[field] !== undefined) return undefined
    plain[field] = rawHeaders[index + 1]
  }
  return plain
}

/** Compared by length first: most headers are none of these, and need not be put in lower case. */
function fieldOf(name: string): keyof PlainRequest | 'notPlain' | undefined {
  switch (name.length) {
    case 6:
      if (isNamed(name, 'cookie')) return 'cookie'
      return isNamed(name, 'origin') ? 'notPlain' : undefined
    case 12:
      return isNamed(name, 'x-request-id') ? 'requestId' : undefined
    case 13:
      return isNamed(name, 'authorization') ? 'authorization' : undefined
    // What comes with a body, the interface has to look at.
    case 14:
      return isNamed(name, 'content-length') ? 'notPlain' : undefined
    case 17:
      return isNamed(name, 'transfer-encoding') ? 'notPlain' : undefined
  }
}

function isNamed(name: string, lower: string): boolean {
  return name === lower || name.toLowerCase() === lower
}
