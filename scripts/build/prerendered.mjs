import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Stop } from '../failure.mjs'
import { inlineScriptHashes } from './inline-script-hashes.mjs'

/** Tells the host which pages are ready, and what their inline scripts are. */
export async function writePrerendered(next, file) {
  const { routes } = await readJson(join(next, 'prerender-manifest.json'))
  refuseRevalidation(routes)
  const hashes = await inlineScriptHashes(join(next, 'server', 'app'))
  const pages = Object.values(await readJson(join(next, 'app-path-routes-manifest.json')))
  // Without a page of its own the root is rewritten to core's start page; see next.config.ts.
  if (!pages.includes('/') && hashes['/start']) hashes['/'] = hashes['/start']
  await writeFile(file, `${JSON.stringify(hashes, null, 2)}\n`)
}

/** A page that Next renders again later has other inline scripts, which the policy would block. */
function refuseRevalidation(routes) {
  const again = Object.entries(routes).filter(([, route]) => route.initialRevalidateSeconds)
  if (again.length === 0) return
  const paths = again.map(([path]) => path).join(', ')
  throw new Stop(
    `Pages with a revalidation time cannot run under the Content-Security-Policy: ${paths}. Make them static or dynamic.`,
  )
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'))
}
