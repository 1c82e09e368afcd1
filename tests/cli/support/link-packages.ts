import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const packages = resolve('node_modules')

/** Hard links to the packages of this repository, for apps that are built: a build follows no link out of them. */
export async function linkPackages(folder: string): Promise<void> {
  execFileSync('cp', ['-al', packages, join(folder, 'node_modules')])
  rmSync(join(folder, 'node_modules/.cache'), { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules/.cache'))
  markAsInstalled(folder)
  const engine = existsSync(join(folder, 'packages/plinth')) ? 'packages' : 'node_modules'
  const setup = join(folder, engine, 'plinth/scripts/setup/install.mjs')
  await (await import(pathToFileURL(setup).href)).writeInstallStamp()
}

/** Symbolic links, which are quicker. The engine's commands work on the app that they are installed in. */
export function sharePackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules/.cache'), { recursive: true })
  for (const name of readdirSync(packages)) {
    if (['.cache', '.package-lock.json', 'plinth'].includes(name)) continue
    symlinkSync(join(packages, name), join(folder, 'node_modules', name))
  }
  execFileSync('cp', ['-a', join(packages, 'plinth'), join(folder, 'node_modules/plinth')])
  markAsInstalled(folder)
  const exclude = join(folder, '.git/info/exclude')
  if (existsSync(exclude)) appendFileSync(exclude, 'node_modules\n')
}

/** npm's record of what it has installed. With it, `scripts/start.mjs` does not unpack the engine again. */
function markAsInstalled(folder: string): void {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const record = join(folder, 'node_modules/.package-lock.json')
  rmSync(record, { force: true })
  writeFileSync(record, lock)
}
