import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Stop } from '../stop.mjs'
import { canRun } from '../tree.mjs'

/** Outside git's sight; it is there only while a command is changing the tree. */
const workFolder = '.plinth'
const journal = 'journal'

/**
 * Notes everything that is about to change, as it was, before the first byte does. From the rename
 * on it can be put back; before it, nothing has been touched.
 *
 * @param {Map<string, Buffer | null>} changes what is to be at each path; null is nothing
 */
export async function writeJournal(app, changes) {
  const draft = join(app, workFolder, `draft-${process.pid}`)
  await mkdir(join(draft, 'before'), { recursive: true })
  const entries = []
  for (const path of changes.keys()) {
    const before = await readFile(join(app, path)).catch(nothing)
    if (before) await writeSafely(join(draft, 'before', String(entries.length)), before)
    entries.push({ path, existed: before !== null })
  }
  const plan = { pid: process.pid, entries, newFolders: newFolders(app, changes) }
  await writeSafely(join(draft, 'plan.json'), Buffer.from(JSON.stringify(plan)))
  await rename(draft, join(app, workFolder, journal)).catch(() => {
    throw new Stop('Another plinth command is under way here.')
  })
}

export function hasJournal(app) {
  return existsSync(join(app, workFolder, journal))
}

export async function readPlan(app) {
  return JSON.parse(await readFile(join(app, workFolder, journal, 'plan.json'), 'utf8'))
}

/** The rename is the moment from which the change is made, and no longer undone. */
export async function forgetJournal(app) {
  const done = join(app, workFolder, `done-${process.pid}`)
  await rename(join(app, workFolder, journal), done).catch(ifThere)
  await clearAway(app, process.pid)
}

/**
 * Puts everything back as the journal has it. It may itself be cut short and run again, or be run
 * twice at once, by the guardian and by the next command.
 */
export async function undo(app) {
  const { pid, entries, newFolders } = await readPlan(app)
  for (const [index, { path, existed }] of entries.entries()) {
    await rm(`${join(app, path)}.plinth-${pid}`, { force: true })
    if (existed) {
      const before = await readFile(join(app, workFolder, journal, 'before', String(index)))
      await writeInPlace(join(app, path), before)
    } else {
      await rm(join(app, path), { force: true })
    }
  }
  for (const folder of newFolders) await rmdir(join(app, folder)).catch(() => {})
  await forgetJournal(app)
}

/** Whole or not at all: the new content takes the place of the old in one step. */
export async function writeInPlace(path, content) {
  const next = `${path}.plinth-${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(next, content, { mode: canRun(content) ? 0o755 : 0o644 })
  await rename(next, path)
}

/** What that process left there of its own; the folder too, once it is empty. */
export async function clearAway(app, pid) {
  const folder = join(app, workFolder)
  for (const name of ['draft', 'done']) {
    await rm(join(folder, `${name}-${pid}`), { recursive: true, force: true })
  }
  await rmdir(folder).catch(() => {})
}

/** The deepest first, so that each is empty when its turn to go comes. */
function newFolders(app, changes) {
  const folders = new Set()
  for (const [path, content] of changes) {
    if (content === null) continue
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      if (!existsSync(join(app, folder))) folders.add(folder)
    }
  }
  return [...folders].sort((one, other) => other.length - one.length)
}

async function writeSafely(path, content) {
  const file = await open(path, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

function nothing(error) {
  if (error.code === 'ENOENT') return null
  throw error
}

function ifThere(error) {
  if (error.code !== 'ENOENT') throw error
}
