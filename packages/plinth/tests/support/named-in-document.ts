import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The commands and paths that a document names and that the project in the folder does not have. */
export function findMissing(folder: string, document: string): string[] {
  const code = [...read(document).matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
  const manifest = JSON.parse(read('package.json'))
  return [...code.filter((text) => !commandExists(text)), ...code.flatMap(missingPaths)]

  function read(path: string): string {
    return readFileSync(join(folder, path), 'utf8')
  }

  function commandExists(text: string): boolean {
    const [program, first = '', second = ''] = text.split(' ')
    if (program === 'npm') return (first === 'run' ? second : first) in manifest.scripts
    if (program !== 'npx') return true
    return first in manifest.bin || existsSync(join('node_modules/.bin', first))
  }

  function missingPaths(text: string): string[] {
    const words = text.split(' ')
    const paths = words.filter((word) => /^((src|tests|docs|scripts|public)\/|\.env)/.test(word))
    return paths.filter((path) => !/\(name\)/.test(path) && !existsSync(join(folder, path)))
  }
}
