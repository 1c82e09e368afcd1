import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { appFolder } from '#config/app-folder'
import { unmatchedRoute } from '#http/request-log'

type LoaderTree = [
  segment: string,
  parallelRoutes: Record<string, LoaderTree>,
  files: { page?: [load: () => unknown, path: string] },
]

type Entry = {
  routeModule?: {
    userland?: { loaderTree?: LoaderTree }
    /** A route handler has it, because its code is loaded asynchronously. */
    ensureUserland?: () => Promise<void>
  }
}

/**
 * Evaluates every page module, so that each `page()` is in the page registry before the first
 * request. Next loads its entries at start too, but a page module only when the page is rendered.
 */
export async function loadPages(folder = join(appFolder(), '.next/server')): Promise<void> {
  const require = createRequire(join(folder, 'app-paths-manifest.json'))
  const manifest = readFileSync(join(folder, 'app-paths-manifest.json'), 'utf8')
  for (const file of Object.values<string>(JSON.parse(manifest))) {
    const entry: Entry = await require(join(folder, file))
    await entry.routeModule?.ensureUserland?.()
    const tree = entry.routeModule?.userland?.loaderTree
    if (tree) await loadPage(tree)
  }
}

async function loadPage([, parallelRoutes, { page }]: LoaderTree): Promise<void> {
  await page?.[0]()
  for (const tree of Object.values(parallelRoutes)) await loadPage(tree)
}

type RoutesManifest = Record<'staticRoutes' | 'dynamicRoutes', { page: string; regex: string }[]>

/** Finds the route of a path, such as `/users/[id]`: one of a fixed number, for the metrics. */
export function pageRoutes(folder = appFolder()): (path: string) => string {
  const manifest = readFileSync(join(folder, '.next/routes-manifest.json'), 'utf8')
  const { staticRoutes, dynamicRoutes }: RoutesManifest = JSON.parse(manifest)
  const fixed = new Set(['/', ...staticRoutes.map(({ page }) => page)])
  const files = new Set(readdirSync(join(folder, 'public'), { recursive: true }).map(urlPath))
  const patterns = dynamicRoutes.map(({ page, regex }) => ({ page, pattern: new RegExp(regex) }))
  return (path) => {
    if (fixed.has(path)) return path
    if (files.has(path) || path.startsWith('/_next/static/')) return 'static'
    return patterns.find(({ pattern }) => pattern.test(path))?.page ?? unmatchedRoute
  }
}

function urlPath(file: string | Buffer): string {
  return `/${String(file).replaceAll('\\', '/')}`
}
