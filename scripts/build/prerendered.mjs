import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../errors.mjs'
import { inlineScriptHashes } from './inline-script-hashes.mjs'

/** Writes the list of prerendered pages and the hashes of their inline scripts for the server. */
export async function writePrerendered(next, file) {
  const { routes } = await readJson(join(next, 'prerender-manifest.json'))
  refuseRevalidation(routes)
  const hashes = await inlineScriptHashes(join(next, 'server', 'app'))
  const pages = Object.values(await readJson(join(next, 'app-path-routes-manifest.json')))
  // If no module has a root page, next.config.ts rewrites the root to core's start page.
  if (!pages.includes('/') && hashes['/start']) hashes['/'] = hashes['/start']
  await writeFile(file, `${JSON.stringify(hashes, null, 2)}\n`)
}

/** A revalidated page has new inline scripts, which the policy would block. */
function refuseRevalidation(routes) {
  const revalidated = Object.entries(routes).filter(([, route]) => route.initialRevalidateSeconds)
  if (revalidated.length === 0) return
  const paths = revalidated.map(([path]) => path).join(', ')
  throw new CommandError(
    `Revalidated pages do not work with the Content-Security-Policy: ${paths}. Make them static or dynamic.`,
  )
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'))
}
