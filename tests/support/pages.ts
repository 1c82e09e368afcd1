import { readFileSync } from 'node:fs'
import { sourcesOf } from '../../scripts/check/imports.mjs'

const sources = (await sourcesOf('.')).filter((path) => /^src\/app\/.*\/page\.tsx$/.test(path))

/** The paths of all pages that use `page()`, with parameters as in `/things/[id]`. */
export function builtPages(): string[] {
  return sources.flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    if (!/^export default page\(/m.test(source)) return []
    return /\bpath: '([^']+)'/.exec(source)?.[1] ?? []
  })
}

/** Those with a render cache. */
export function cachedPages(): string[] {
  return sources.flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    if (!/^ {4}renderCache: /m.test(source)) return []
    return /\bpath: '([^']+)'/.exec(source)?.[1] ?? []
  })
}
