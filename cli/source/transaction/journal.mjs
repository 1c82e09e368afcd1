import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { isExecutable } from '../tree.mjs'

/** Ignored by git; exists only while a command changes files. */
const workFolder = '.plinth'
const journal = 'journal'

/**
 * Saves every file that is about to change. Before the final rename nothing has changed; after it
 * everything can be rolled back.
 *
 * @param {Map<string, Buffer | null>} changes the new content of each path; null deletes the file
 */
export async function writeJournal(app, changes) {
  const draft = join(app, workFolder, `draft-${process.pid}`)
  await mkdir(join(draft, 'before'), { recursive: true })
  const entries = []
  for (const path of changes.keys()) {
    const before = await readFile(join(app, path)).catch(nullIfMissing)
    if (before) await writeDurably(join(draft, 'before', String(entries.length)), before)
    entries.push({ path, existed: before !== null })
  }
  const plan = { pid: process.pid, entries, newFolders: newFolders(app, changes) }
  await writeDurably(join(draft, 'plan.json'), Buffer.from(JSON.stringify(plan)))
  await rename(draft, join(app, workFolder, journal)).catch(() => {
    throw new CommandError(
      'Another plinth command is running here. Try again when it has finished.',
    )
  })
}

export function hasJournal(app) {
  return existsSync(join(app, workFolder, journal))
}

export async function readPlan(app) {
  return JSON.parse(await readFile(join(app, workFolder, journal, 'plan.json'), 'utf8'))
}

/** After the rename the changes are final and can no longer be rolled back. */
export async function commitJournal(app) {
  const done = join(app, workFolder, `done-${process.pid}`)
  await rename(join(app, workFolder, journal), done).catch(ignoreIfMissing)
  await removeWorkFiles(app, process.pid)
}

/**
 * Restores everything from the journal. It can be interrupted and repeated, and the watchdog and the
 * next command can run it at the same time.
 */
export async function rollBack(app) {
  const { pid, entries, newFolders } = await readPlan(app)
  for (const [index, { path, existed }] of entries.entries()) {
    await rm(`${join(app, path)}.plinth-${pid}`, { force: true })
    if (existed) {
      const before = await readFile(join(app, workFolder, journal, 'before', String(index)))
      await replaceFile(join(app, path), before)
    } else {
      await rm(join(app, path), { force: true })
    }
  }
  for (const folder of newFolders) await rmdir(join(app, folder)).catch(() => {})
  await commitJournal(app)
}

/** Replaces the file atomically. */
export async function replaceFile(path, content) {
  const next = `${path}.plinth-${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(next, content, { mode: isExecutable(content) ? 0o755 : 0o644 })
  await rename(next, path)
}

/** Removes the temporary files of a process, and the work folder if it is empty. */
export async function removeWorkFiles(app, pid) {
  const folder = join(app, workFolder)
  for (const name of ['draft', 'done']) {
    await rm(join(folder, `${name}-${pid}`), { recursive: true, force: true })
  }
  await rmdir(folder).catch(() => {})
}

/** Deepest first, so that each folder is empty when it is removed. */
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

async function writeDurably(path, content) {
  const file = await open(path, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

function nullIfMissing(error) {
  if (error.code === 'ENOENT') return null
  throw error
}

function ignoreIfMissing(error) {
  if (error.code !== 'ENOENT') throw error
}
