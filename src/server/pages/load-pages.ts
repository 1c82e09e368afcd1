import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

type LoaderTree = [
  segment: string,
  parallelRoutes: Record<string, LoaderTree>,
  files: { page?: [load: () => unknown, path: string] },
]

type Entry = { routeModule?: { userland?: { loaderTree?: LoaderTree } } }

/**
 * Evaluates every page module, so that each `page()` is in the page registry before the first
 * request. Next loads its entries at start too, but a page module only when the page is rendered.
 */
export async function loadPages(folder = join(process.cwd(), '.next/server')): Promise<void> {
  const require = createRequire(join(folder, 'app-paths-manifest.json'))
  const manifest = readFileSync(join(folder, 'app-paths-manifest.json'), 'utf8')
  for (const file of Object.values<string>(JSON.parse(manifest))) {
    const entry: Entry = await require(join(folder, file))
    const tree = entry.routeModule?.userland?.loaderTree
    if (tree) await loadPage(tree)
  }
}

async function loadPage([, parallelRoutes, { page }]: LoaderTree): Promise<void> {
  await page?.[0]()
  for (const tree of Object.values(parallelRoutes)) await loadPage(tree)
}
