type FileType = { contentType: string; compressed: boolean }

const text = (contentType: string): FileType => ({ contentType, compressed: true })
const binary = (contentType: string): FileType => ({ contentType, compressed: false })

/** What is stored and served for other builds, with the types of Next. Source maps are not. */
const fileTypes = new Map<string, FileType>([
  ['js', text('application/javascript; charset=UTF-8')],
  ['css', text('text/css; charset=UTF-8')],
  ['json', text('application/json; charset=UTF-8')],
  ['txt', text('text/plain; charset=UTF-8')],
  ['svg', text('image/svg+xml')],
  ['woff2', binary('font/woff2')],
  ['woff', binary('font/woff')],
  ['png', binary('image/png')],
  ['jpg', binary('image/jpeg')],
  ['jpeg', binary('image/jpeg')],
  ['gif', binary('image/gif')],
  ['webp', binary('image/webp')],
  ['avif', binary('image/avif')],
  ['ico', binary('image/x-icon')],
])

const plainName = /^[\w.~@()[\]-]+(\/[\w.~@()[\]-]+)*$/
const dotSegment = /(^|\/)\.{1,2}(\/|$)/

/** Undefined for a name that Next would not give to such a file. */
export function fileTypeOf(name: string): FileType | undefined {
  if (name.length > 200 || !plainName.test(name) || dotSegment.test(name)) return undefined
  return fileTypes.get(name.slice(name.lastIndexOf('.') + 1))
}
