import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'

/** A statement at the start of a line, or a call anywhere. Quoted code is not matched. */
const importing =
  /(?:^(?:import|export)\s[^'"]*\bfrom\s|^@?import\s|\b(?:import|require)\()\s*['"]([^'"]+)['"]/gm

/** The names of the packages that these files import. */
export function packagesIn(paths: readonly string[]): string[] {
  const imports = paths.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(importing)])
  const names = imports.map(([, from = '']) => nameIn(from)).filter(isPackage)
  return [...new Set(names)].sort()
}

function nameIn(path: string): string {
  return path.split('/', path.startsWith('@') ? 2 : 1).join('/')
}

/** `@/`, `@tests/` and `plinth/` are path aliases. */
function isPackage(name: string): boolean {
  return (
    /^(@[a-z][a-z-]*\/|[a-z])/.test(name) && !/^(@tests\/|plinth$)/.test(name) && !isBuiltin(name)
  )
}

/** The files that every generated application contains. */
export function sources(): string[] {
  const folders = ['src', 'packages', 'tests', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  return [...folders, ...readdirSync('.')]
    .filter((path) => /\.(tsx?|[cm]js|css)$/.test(path))
    .filter((path) => !/^(tests\/cli|packages\/plinth\/tests\/architecture\/fixtures)\//.test(path))
}
