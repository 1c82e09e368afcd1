import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const folder = '.next'

/** Paths of files, as in the build's manifests: `static/immutable/chunks/….js`. */
export function staticFiles(suffix: string): string[] {
  return readdirSync(join(folder, 'static'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(suffix))
    .map((name) => `static/${name}`)
}

export function readStatic(path: string): Buffer {
  return readFileSync(path.startsWith('static/') ? join(folder, path) : join('public', path))
}

export function gzipSize(path: string): number {
  return gzipSync(readStatic(path), { level: 9 }).length
}

/** The files that a page refers to in attributes of these elements. */
export function referredFiles(html: string, element: RegExp): string[] {
  const sources = [...html.matchAll(element)].map(([source]) => source)
  const files = sources.map((source) => /(?:src|href)="\/(?:_next\/)?([^"?]+)/.exec(source)?.[1])
  return [...new Set(files.filter((file) => file !== undefined))]
}

/** What every page of a Next app loads: React, Next's router and the loader of chunks. */
export function rootScripts(): string[] {
  return JSON.parse(readFileSync(join(folder, 'build-manifest.json'), 'utf8')).rootMainFiles
}

/** Only browsers without modules load these. */
export function polyfills(): string[] {
  return JSON.parse(readFileSync(join(folder, 'build-manifest.json'), 'utf8')).polyfillFiles
}
