import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modulesFile } from '../template/generated.mjs'
import { describe, folderOf } from '../template/modules.mjs'

/** The modules that are there, the template's and others, as their package.json has them. */
export async function installedModules(app) {
  const names = await readdir(join(app, 'src', 'app'))
  const ids = names.flatMap((name) => /^\(([a-z][a-z0-9-]*)\)$/.exec(name)?.[1] ?? [])
  const modules = ids.filter((id) => existsSync(join(app, folderOf(id), 'module.ts')))
  return Promise.all(modules.sort().map((id) => readModule(app, id)))
}

async function readModule(app, id) {
  const text = await readFile(join(app, folderOf(id), 'package.json'), 'utf8').catch(() => '{}')
  return { ...describe(JSON.parse(text), id), id }
}

/** By the app's own script: it is the one that checks the file afterwards. */
export async function modulesText(app, modules) {
  return modulesFile(
    modules.map(({ id }) => id),
    app,
  )
}
