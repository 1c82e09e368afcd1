import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** The code points of a WOFF2 file that have a glyph. */
export function fontCharacters(path: string): Set<number> {
  const cmap = characterMap(readFileSync(path))
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4)),
  )
  const basic = subtables.find((subtable) => subtable.readUInt16BE(0) === 4)
  if (!basic) throw new Error(`${path} has no character map of format 4.`)
  return new Set(segments(basic).flatMap(({ first, last }) => range(first, last)))
}

const headerLength = 48
const knownTags = { cmap: 0, glyf: 10, loca: 11 }

/** WOFF2 compresses all tables as one stream, in the order of the directory. */
function characterMap(file: Buffer): Buffer {
  let position = headerLength
  let offset = 0
  let found: { offset: number; length: number } | undefined
  for (let table = 0; table < file.readUInt16BE(12); table += 1) {
    const flags = file.readUInt8(position++)
    const tag = flags & 63
    if (tag === 63) position += 4
    let length = readLength()
    const isOutline = tag === knownTags.glyf || tag === knownTags.loca
    if (flags >> 6 !== (isOutline ? 3 : 0)) length = readLength()
    if (tag === knownTags.cmap) found = { offset, length }
    offset += length
  }
  const compressed = file.subarray(position, position + file.readUInt32BE(20))
  if (!found) throw new Error('The font has no character map.')
  return brotliDecompressSync(compressed).subarray(found.offset, found.offset + found.length)

  /** Seven bits a byte. */
  function readLength(): number {
    let length = 0
    for (;;) {
      const byte = file.readUInt8(position++)
      length = length * 128 + (byte & 127)
      if (byte < 128) return length
    }
  }
}

/** The last segment, U+FFFF, ends the table. */
function segments(subtable: Buffer): { first: number; last: number }[] {
  const size = subtable.readUInt16BE(6)
  return Array.from({ length: size / 2 - 1 }, (_, index) => ({
    last: subtable.readUInt16BE(14 + index * 2),
    first: subtable.readUInt16BE(16 + size + index * 2),
  }))
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
