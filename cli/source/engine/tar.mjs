import { gzipSync } from 'node:zlib'

const block = 512

/**
 * A package as npm reads it. The same files give the same bytes on every machine: nothing is
 * compressed, because the output of a compressor depends on the processor. Git compresses it.
 *
 * @param {Map<string, Buffer>} tree
 */
export function packTree(tree) {
  const paths = [...tree.keys()].sort()
  const entries = paths.flatMap((path) => entryOf(`package/${path}`, tree.get(path)))
  const archive = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * block)]), { level: 0 })
  // The header names the operating system: 255 is "unknown".
  archive[9] = 255
  return archive
}

function entryOf(path, content) {
  const padding = Buffer.alloc((block - (content.length % block)) % block)
  return [headerOf(path, content), content, padding]
}

/** The format ustar. */
function headerOf(path, content) {
  const header = Buffer.alloc(block)
  const { name, prefix } = splitPath(path)
  const mode = content.subarray(0, 2).toString() === '#!' ? '0000755' : '0000644'
  header.write(name, 0)
  header.write(`${mode}\0${'0000000\0'.repeat(2)}`, 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  // The time that npm gives all files of a package: 1985-10-26.
  header.write('03560116604\0', 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Long paths are divided at a slash. */
function splitPath(path) {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' }
  const slash = path.indexOf('/', path.length - 101)
  const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)]
  if (slash === -1 || prefix.length > 155 || Buffer.byteLength(path) !== path.length) {
    throw new Error(`This path is too long for a package: ${path}`)
  }
  return { name, prefix }
}
