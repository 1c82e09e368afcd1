import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { CommandError } from '../terminal.mjs'

/** Writes the list of prerendered pages and the hashes of their inline scripts for the server. */
export async function writePrerendered(next, file) {
  const { routes } = await readJson(join(next, 'prerender-manifest.json'))
  refuseRevalidation(routes)
  const hashes = await inlineScriptHashes(join(next, 'server', 'app'))
  const pages = Object.values(await readJson(join(next, 'app-path-routes-manifest.json')))
  // If no module has a root page, next.config.ts rewrites the root to the engine's start page.
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

/**
 * Writes the ids of all server actions for the server, and for each renamed one the id that it has
 * now. A folder of src/app lists its renamed actions in former-actions.json.
 *
 * @param {string} root
 * @param {string} file
 */
export async function writeActions(root, file) {
  const manifest = join(root, '.next', 'server', 'server-reference-manifest.json')
  const { node, encryptionKey } = JSON.parse(await readFile(manifest, 'utf8'))
  const ids = new Map(
    Object.entries(node).map(([id, action]) => [`${action.filename}#${action.exportedName}`, id]),
  )
  const former = {}
  for (const { list, name, present } of await readFormerNames(root)) {
    if (ids.has(name)) throw new CommandError(`${list}: ${name} exists. Remove it from the list.`)
    const id = ids.get(present)
    if (id === undefined) throw new CommandError(`${list}: there is no action ${present}.`)
    former[hashOf(name, encryptionKey)] = id
  }
  await writeFile(file, `${JSON.stringify({ known: [...ids.values()], former })}\n`)
}

async function readFormerNames(root) {
  const folders = await readdir(join(root, 'src', 'app'))
  const lists = await Promise.all(folders.map((name) => readList(root, `src/app/${name}`)))
  return lists.flat()
}

async function readList(root, folder) {
  const list = `${folder}/former-actions.json`
  const text = await readFile(join(root, list), 'utf8').catch(() => '{}')
  return Object.entries(parse(list, text)).map(([name, present]) => ({
    list,
    name: posix.join(folder, name),
    present: posix.join(folder, present),
  }))
}

function parse(list, text) {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError(`${list} is not valid JSON.`)
  }
}

/** The id of an action, without its first byte, which tells about its arguments. */
export function hashOf(name, encryptionKey) {
  return createHash('sha1')
    .update(encryptionKey + name.replace('#', ':'))
    .digest('hex')
}
