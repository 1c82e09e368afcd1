import { maxFields, maxNameLength } from '#http/body-limits'

export type Part = {
  name: string
  isFile: boolean
  /** Where the name and the value are in the body. */
  nameStart: number
  start: number
  end: number
}

/** Undefined if there are several, of which each parser could take another one. */
export function boundaryOf(contentType: string): string | undefined {
  const boundaries = [
    ...contentType.matchAll(/;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*(?=;|$)/gi),
  ]
  return boundaries.length === 1 ? boundaries[0]?.[2] : undefined
}

/**
 * Finds the parts of a `multipart/form-data` body, without decoding them. Next's parsers take up to
 * 150 µs for an empty part, so their number is bounded here. Only the form that browsers send is
 * accepted: in any other, another parser could find other parts.
 */
export function findParts(body: Buffer, boundary: string): Part[] | 'too_large' | 'unreadable' {
  const delimiter = `--${boundary}`
  const parts: Part[] = []
  let position = body.indexOf(delimiter) === 0 ? 0 : -1
  while (position !== -1) {
    const afterDelimiter = position + delimiter.length
    const ending = textAt(body, afterDelimiter, 2)
    if (ending === '--') return parts
    if (ending !== '\r\n') break
    if (parts.length === maxFields) return 'too_large'
    position = body.indexOf(delimiter, afterDelimiter)
    if (position === -1 || textAt(body, position - 2, 2) !== '\r\n') break
    const part = readPart(body, afterDelimiter + 2, position - 2)
    if (typeof part === 'string') return part
    parts.push(part)
  }
  return 'unreadable'
}

/** More than a name, a file name and a content type take. */
const maxHeaderBytes = 4096

const headerOfPart =
  /^content-disposition: ?form-data; ?name="([^"\r\n]*)"(?:; ?filename="([^"\r\n]*)")?(?:\r\ncontent-type: ?([^\r\n]*))?$/i
const otherCharset = /charset=(?!"?utf-8"?\s*(;|$))/i

function readPart(body: Buffer, from: number, end: number): Part | 'too_large' | 'unreadable' {
  const available = textAt(body, from, Math.min(maxHeaderBytes, end - from))
  const headerLength = available.indexOf('\r\n\r\n')
  if (headerLength === -1) return end - from > maxHeaderBytes ? 'too_large' : 'unreadable'
  const found = headerOfPart.exec(available.slice(0, headerLength))
  const [, encodedName = '', fileName, type = ''] = found ?? []
  // Next would decode the part in that charset.
  if (!found || otherCharset.test(type)) return 'unreadable'
  const name = Buffer.from(encodedName, 'latin1').toString()
  if (name.length > maxNameLength) return 'too_large'
  return {
    name,
    // One of Next's parsers takes a part with an empty file name for a field.
    isFile: Boolean(fileName),
    nameStart: from + available.indexOf('"') + 1,
    start: from + headerLength + 4,
    end,
  }
}

function textAt(body: Buffer, from: number, length: number): string {
  return body.toString('latin1', from, from + length)
}
