import type { ServerResponse } from 'node:http'

export type Interception =
  /** Sent instead; what Next sends goes nowhere. */
  | { replaceWith: (response: ServerResponse) => void; status: number }
  /** Next's own response, with another status. */
  | { status: number; headers: Readonly<Record<string, string>> }

/** Decides about Next's response at its first byte, when its status is known. */
export function interceptResponse(
  response: ServerResponse,
  decide: (status: number) => Interception | undefined,
): void {
  const original = { writeHead: response.writeHead, write: response.write, end: response.end }
  let decided: Interception | undefined
  let isDecided = false

  function interception(status: number): Interception | undefined {
    if (isDecided) return decided
    isDecided = true
    decided = decide(status)
    if (decided && 'replaceWith' in decided) replace(decided)
    else if (decided) changeStatus(decided)
    return decided
  }

  function isReplaced(status: number): boolean {
    const current = interception(status)
    return current !== undefined && 'replaceWith' in current
  }

  function replace({ replaceWith, status }: Extract<Interception, { replaceWith: unknown }>): void {
    // Next compresses by replacing these functions in turn.
    Object.assign(response, original)
    for (const name of ['content-encoding', 'etag', 'vary']) response.removeHeader(name)
    replaceWith(response)
    const ignore = () => response
    Object.assign(response, { writeHead: ignore, write: () => true, end: ignore })
    // For the request log: Next sets its own status afterwards.
    Object.defineProperty(response, 'statusCode', { get: () => status, set: () => {} })
  }

  function changeStatus({ status, headers }: Extract<Interception, { headers: unknown }>): void {
    response.statusCode = status
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  }

  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (isReplaced(status)) return response
    return Reflect.apply(original.writeHead, response, [decided?.status ?? status, ...rest])
  }
  response.write = (...args: unknown[]) =>
    isReplaced(response.statusCode) || Reflect.apply(original.write, response, args)
  response.end = (...args: unknown[]) =>
    isReplaced(response.statusCode) ? response : Reflect.apply(original.end, response, args)
}
