import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../errors.mjs'

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

const attribute = String.raw`\s+[^\s=>"']+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?`
const script = new RegExp(String.raw`<script((?:${attribute})*)\s*>([\s\S]*?)</script\s*>`, 'gi')

/**
 * A prerendered page cannot contain a nonce. Its Content-Security-Policy lists the hashes of its
 * inline scripts instead.
 */
async function inlineScriptHashes(pages) {
  const names = await readdir(pages, { recursive: true })
  const hashes = {}
  for (const name of names.filter((path) => path.endsWith('.html')).sort()) {
    hashes[routeOf(name)] = hashesIn(await readFile(join(pages, name), 'utf8'))
  }
  return hashes
}

export function hashesIn(html) {
  // Browsers normalize line breaks to line feeds before they hash.
  const text = html.replace(/\r\n?/g, '\n')
  const bodies = [...text.matchAll(script)]
    .filter(([, attributes]) => !/\ssrc\s*=/i.test(attributes))
    .map(([, , body]) => body)
  return [...new Set(bodies.map((body) => `sha256-${sha256(body)}`))]
}

export function routeOf(name) {
  const path = name.replaceAll('\\', '/').replace(/\.html$/, '')
  return path === 'index' ? '/' : `/${path}`
}

function sha256(text) {
  return createHash('sha256').update(text).digest('base64')
}
