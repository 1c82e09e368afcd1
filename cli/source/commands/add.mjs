import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { baseOf } from '../app/base.mjs'
import { installedModules } from '../app/installed.mjs'
import { openApp } from '../app/record.mjs'
import { sharedFiles } from '../app/shared-files.mjs'
import { changeTree } from '../change/change.mjs'
import { recoverIfNeeded } from '../change/recover.mjs'
import { digest } from '../module/digest.mjs'
import { isPath, openModule } from '../module/open-module.mjs'
import { withPackagesOf } from '../package/manifest.mjs'
import { Stop } from '../stop.mjs'
import { folderOf, modulesIn } from '../template/modules.mjs'
import { withSettings } from '../template/settings-example.mjs'
import { withTemporaryFolder } from '../temporary.mjs'
import { below, jsonOf } from '../tree.mjs'

export async function run({ flags, names, output }) {
  if (names.length === 0) throw new Stop('Which module? `plinth list` shows those there are.')
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  return withTemporaryFolder(async (temporary) => {
    const { modules, lock } = await output.during('Looking up what to add', () =>
      open(app, names, temporary, flags),
    )
    const present = await installedModules(app.folder)
    refuseWhatDoesNotFit(app, modules, present)
    const files = modules.flatMap((module) => [...module.files])
    const shared = await sharedFiles(
      { folder: app.folder, record: withModules(app, modules) },
      {
        modules: [...present, ...modules],
        edit: (manifest) => modules.reduce(withPackagesOf, manifest),
        settings: (text) => modules.reduce(withSettings, text),
        lock,
      },
    )
    await changeTree(app.folder, new Map([...files, ...shared]))
    return report(output, modules, shared)
  })
}

async function open(app, names, temporary, { base }) {
  const ids = names.filter((name) => !isPath(name))
  const others = []
  for (const [index, name] of names.filter(isPath).entries()) {
    others.push(await openModule(name, join(temporary, `module-${index}`)))
  }
  if (ids.length === 0) return { modules: others, lock: undefined }
  const wanted = [...new Set([...app.record.modules, ...ids])]
  const { tree } = await baseOf(app, temporary, { base, modules: wanted })
  const own = modulesIn(tree)
    .filter(({ id }) => ids.includes(id))
    .map((module) => ({ ...module, files: below(tree, folderOf(module.id)) }))
  return { modules: [...own, ...others], lock: jsonOf(tree, 'package-lock.json') }
}

function refuseWhatDoesNotFit(app, modules, present) {
  const installed = present.map(({ id }) => id)
  for (const { id, requires } of modules) {
    if (installed.includes(id)) throw new Stop(`The module ${id} is installed already.`)
    if (existsSync(join(app.folder, folderOf(id)))) {
      throw new Stop(`The folder ${folderOf(id)} is there already, and is not overwritten.`)
    }
    const there = [...installed, ...modules.map((module) => module.id)]
    const missing = requires.filter((other) => !there.includes(other))
    if (missing.length > 0) {
      throw new Stop(
        `${id} needs ${missing.join(' and ')}: plinth add ${[...missing, id].join(' ')}`,
        [],
        { missing },
      )
    }
  }
}

function withModules({ folder, record }, modules) {
  const own = modules.filter(({ from }) => from === undefined).map(({ id }) => id)
  const added = modules
    .filter(({ from }) => from !== undefined)
    .map(({ id, version, from, files }) => [
      id,
      { version, from: relative(folder, from).split(sep).join('/'), files: digests(files) },
    ])
  return {
    ...record,
    modules: [...record.modules, ...own].sort(),
    added: { ...record.added, ...Object.fromEntries(added) },
  }
}

/** Nobody keeps an older version of these for us, so what they were is remembered file by file. */
function digests(files) {
  return Object.fromEntries([...files].map(([path, content]) => [path, digest(content)]))
}

function report(output, modules, shared) {
  for (const { id, files } of modules)
    output.say(`Added ${id}: ${files.size} files in ${folderOf(id)}`)
  for (const path of shared.keys()) output.say(`Changed ${path}`)
  const settings = modules.flatMap((module) => Object.keys(module.settings))
  if (settings.length > 0)
    output.say(`Settings to look at, in .env.example: ${settings.join(', ')}`)
  output.say('\nNext: npm start installs and builds what is new, and makes its tables.')
  return {
    added: modules.map(({ id, version }) => ({ id, version })),
    changed: [...shared.keys()],
    settings,
  }
}
