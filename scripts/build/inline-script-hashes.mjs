import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const attribute = String.raw`\s+[^\s=>"']+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?`
const script = new RegExp(String.raw`<script((?:${attribute})*)\s*>([\s\S]*?)</script\s*>`, 'gi')

/**
 * A prerendered page cannot contain a nonce. Its Content-Security-Policy lists the hashes of its
 * inline scripts instead.
 */
export async function inlineScriptHashes(pages) {
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
