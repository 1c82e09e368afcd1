import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appFolder } from '#config/app-folder'

/** A built file of the app or of this package, with line and column. */
const position =
  /(?:file:\/\/)?([^\s()]*[\\/](?:\.next|node_modules[\\/]plinth)[\\/][^()\n]+?\.js):(\d+):(\d+)/g

/**
 * The stack with the positions in the sources. It reads the source maps of the files that it names, when an error is
 * logged: with `--enable-source-maps` Node would keep all of them in memory, which is a tenth more.
 */
export function withSourcePositions(stack: string): string {
  return stack.replaceAll(position, (built, file: string, line: string, column: string) => {
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!found || !('originalSource' in found)) return built
    const { originalSource, originalLine, originalColumn } = found
    return `${sourcePath(originalSource, file)}:${originalLine + 1}:${originalColumn + 1}`
  })
}

const maps = new Map<string, SourceMap | undefined>()

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

/** Undefined where the maps were removed, as in the image. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  } catch {
    return undefined
  }
}

/** Relative to the folder of the app, as an editor opens it. */
function sourcePath(source: string, file: string): string {
  const path = source.startsWith('file:')
    ? fileURLToPath(source)
    : resolve(dirname(file), decodeURIComponent(source))
  const folder = `${appFolder()}/`
  return path.startsWith(folder) ? path.slice(folder.length) : path
}
