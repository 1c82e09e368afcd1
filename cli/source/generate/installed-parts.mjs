import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installedModules } from '../app/installed.mjs'
import { CommandError } from '../command-error.mjs'
import { didYouMean } from '../did-you-mean.mjs'
import { moduleFolder } from '../template/modules.mjs'

/** The folder of an installed module. */
export async function requireModule({ folder }, id) {
  const ids = (await installedModules(folder)).map((module) => module.id)
  if (ids.includes(id)) return moduleFolder(id)
  throw new CommandError(
    `Module ${id} is not installed.${didYouMean(id, ids)} Installed modules: ${ids.join(', ') || 'none'}.`,
  )
}

/** The text of a file, or an empty one. */
export function readText({ folder }, path) {
  return readFile(join(folder, path), 'utf8').catch(() => '')
}

/** Next does not build an app in which two pages have the same URL. */
export async function refusePageConflicts(app, paths) {
  const existing = await pagesOf(app)
  for (const path of paths) {
    const segments = segmentsOf(path)
    for (const other of existing.filter((file) => file !== path)) {
      const conflict = conflictOf(segments, segmentsOf(other))
      if (conflict) throw new CommandError(`/${segments.join('/')} ${conflict}: ${other}.`)
    }
  }
}

/** A name in the audit log that no other page has. */
export async function unusedPageName(app, name, own) {
  const others = (await pagesOf(app)).filter((path) => path !== own)
  const texts = await Promise.all(others.map((path) => readText(app, path)))
  const isUsed = texts.some((text) => text.includes(`name: '${name}'`))
  return isUsed ? `${name}_page` : name
}

async function pagesOf({ folder }) {
  const names = await readdir(join(folder, 'src', 'app'), { recursive: true })
  return names
    .map((name) => `src/app/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\/page\.tsx?$/.test(path))
}

/** The segments of the URL; route groups are not part of it. */
function segmentsOf(path) {
  return path
    .split('/')
    .slice(2, -1)
    .filter((segment) => !/^\(.*\)$/.test(segment))
}

function conflictOf(segments, others) {
  for (const [index, segment] of segments.entries()) {
    const other = others[index]
    if (other === undefined) return undefined
    if (segment === other) continue
    const bothDynamic = [segment, other].every((name) => name.startsWith('['))
    return bothDynamic ? `must use ${other}, as another page does` : undefined
  }
  return segments.length === others.length ? 'has a page already' : undefined
}

export async function refuseExistingTable({ folder }, table) {
  const files = await codeFiles({ folder })
  const migrations = files.filter((path) => /\/migrations\/[^/]+\.sql$/.test(path))
  const creates = new RegExp(`^create table (if not exists )?"?${table}"?\\b`, 'im')
  for (const path of migrations) {
    if (!creates.test(await readFile(join(folder, path), 'utf8'))) continue
    throw new CommandError(`The table ${table} exists already: ${path}. Choose another name.`)
  }
}

/**
 * Two exports of a name in one module are mistaken for each other, and its manifest cannot import both.
 *
 * @param {string} own the file that the name is generated into
 */
export async function refuseUsedName(app, folder, name, own) {
  const exported = new RegExp(`^export (async )?(const|let|function|class) ${name}\\b`, 'm')
  for (const path of await sourcesIn(app, folder)) {
    if (path === own || !exported.test(await readText(app, path))) continue
    throw new CommandError(`${name} is declared already: ${path}. Choose another name.`)
  }
  const manifest = await readText(app, `${folder}/module.ts`)
  const imported = new RegExp(`^import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`, 'm')
  const from = imported.exec(manifest)?.[1]
  if (from === undefined || `${folder}${from.slice(1)}.ts` === own) return
  throw new CommandError(`${name} is imported already: ${folder}/module.ts. Choose another name.`)
}

/** An action's name is in the audit log, and finds the action of an undo button. */
export async function refuseUsedActionName(app, name, own) {
  const declared = new RegExp(`\\b(action|mutation)\\(\\s*\\{\\s*name: '${name}'`)
  for (const path of (await codeFiles(app)).filter(isSource)) {
    if (path === own || !declared.test(await readText(app, path))) continue
    throw new CommandError(`An action is named ${name} already: ${path}. Choose another name.`)
  }
}

async function sourcesIn(app, path) {
  return (await filesIn(app, path)).filter(isSource)
}

function isSource(path) {
  return /\.tsx?$/.test(path) && !/\/tests\//.test(path)
}

/** The files of the engine and of the app. */
export async function codeFiles(app) {
  const engine = has(app, 'packages/plinth') ? 'packages/plinth' : 'node_modules/plinth'
  const found = await Promise.all(
    [`${engine}/src`, `${engine}/migrations`, 'src'].map((path) => filesIn(app, path)),
  )
  return found.flat()
}

async function filesIn({ folder }, path) {
  const names = await readdir(join(folder, path), { recursive: true }).catch(() => [])
  return names.map((name) => `${path}/${name.replaceAll('\\', '/')}`)
}

export function has({ folder }, path) {
  return existsSync(join(folder, path))
}
