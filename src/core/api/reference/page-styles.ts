import 'server-only'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type PageStyles = {
  /** Classes of `<html>`, which name the fonts. */
  rootClass: string
  stylesheets: readonly string[]
  fonts: readonly string[]
}

/** Any page would do: all have the stylesheet of the root layout. This one is prerendered. */
const page = '/unavailable'

/**
 * The stylesheet and fonts of the pages, whose names only the build knows. They are read from a
 * prerendered page. In development, and on hosts that keep it elsewhere, that page is requested.
 * If neither works, the reference is plain.
 */
export async function pageStyles(origin: string): Promise<PageStyles> {
  return stylesIn((await readPrerendered()) ?? (await requestPage(origin)) ?? '')
}

async function readPrerendered(): Promise<string | undefined> {
  if (process.env.NODE_ENV === 'development') return undefined
  const file = join(process.cwd(), '.next/server/app', `${page}.html`)
  return readFile(file, 'utf8').catch(() => undefined)
}

/** In development Next compiles the page first. */
const timeoutMs = process.env.NODE_ENV === 'development' ? 60_000 : 5_000

async function requestPage(origin: string): Promise<string | undefined> {
  try {
    const response = await fetch(origin + page, { signal: AbortSignal.timeout(timeoutMs) })
    return await response.text()
  } catch {
    return undefined
  }
}

export function stylesIn(html: string): PageStyles {
  const [, rootClass = ''] = /<html[^>]* class="([^"]*)"/.exec(html) ?? []
  return {
    rootClass,
    stylesheets: matches(html, /<link rel="stylesheet" href="(\/_next\/[^"]+)"/g),
    fonts: matches(html, /<link rel="preload" href="(\/_next\/[^"]+)" as="font"/g),
  }
}

function matches(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}
