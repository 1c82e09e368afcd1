export type PlainHeaders = {
  requestId: string | undefined
  cookie: string | undefined
  authorization: string | undefined
  /** Not used; two of them are refused. */
  host: string | undefined
}

/**
 * The headers that the fast path needs, in one pass over the raw list: `request.headers` would first
 * build an object of all. Undefined if the request needs the API, such as one with a body, an Origin
 * or a repeated header.
 */
export function readPlainHeaders(rawHeaders: readonly string[]): PlainHeaders | undefined {
  if (rawHeaders.length > 200) return undefined
  const plain: PlainHeaders = {
    requestId: undefined,
    cookie: undefined,
    authorization: undefined,
    host: undefined,
  }
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = fieldOf(rawHeaders[index] ?? '')
    if (field === undefined) continue
    if (field === 'needsApi' || plain[field] !== undefined) return undefined
    plain[field] = rawHeaders[index + 1]
  }
  return plain
}

/** Compares the length first: most headers are none of these and need no lower-casing. */
function fieldOf(name: string): keyof PlainHeaders | 'needsApi' | undefined {
  switch (name.length) {
    case 4:
      return isNamed(name, 'host') ? 'host' : undefined
    case 6:
      if (isNamed(name, 'cookie')) return 'cookie'
      return isNamed(name, 'origin') ? 'needsApi' : undefined
    case 12:
      return isNamed(name, 'x-request-id') ? 'requestId' : undefined
    case 13:
      return isNamed(name, 'authorization') ? 'authorization' : undefined
    case 14:
      return isNamed(name, 'content-length') ? 'needsApi' : undefined
    case 17:
      return isNamed(name, 'transfer-encoding') ? 'needsApi' : undefined
  }
}

function isNamed(name: string, lower: string): boolean {
  return name === lower || name.toLowerCase() === lower
}
