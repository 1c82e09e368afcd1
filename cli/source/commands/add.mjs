import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { installedModules } from '../app/installed.mjs'
import { keepOriginals } from '../app/originals.mjs'
import { openApp } from '../app/record.mjs'
import { renderBase } from '../app/render-base.mjs'
import { sharedFiles } from '../app/shared-files.mjs'
import { CommandError } from '../command-error.mjs'
import { didYouMean } from '../did-you-mean.mjs'
import { digests } from '../module/digest.mjs'
import { isPath, openModule } from '../module/open-module.mjs'
import { withPackagesOf } from '../package/manifest.mjs'
import { withSettings } from '../template/env-example.mjs'
import { moduleFolder, modulesIn } from '../template/modules.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { applyChanges } from '../transaction/apply-changes.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'
import { jsonOf, subtree } from '../tree.mjs'

export async function run({ flags, names, output }) {
  if (names.length === 0)
    throw new CommandError('No module given. Run `npx plinth list` to see the available modules.')
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  return withTemporaryFolder(async (temporary) => {
    const { modules, lock } = await output.withProgress('Reading modules', () =>
      openModules(app, names, temporary, flags),
    )
    const present = await installedModules(app.folder)
    refuseConflicts(app, modules, present)
    const files = modules.flatMap((module) => [...module.files])
    const shared = await sharedFiles(
      { ...app, record: withModules(app, modules) },
      {
        modules: [...present, ...modules],
        edit: (manifest) => modules.reduce(withPackagesOf, manifest),
        settings: (text) => modules.reduce(withSettings, text),
        lock,
      },
    )
    const originals = modules.filter(isThirdParty).flatMap((module) => [...module.files])
    await applyChanges(app.folder, new Map([...files, ...shared, ...keepOriginals(originals)]))
    return report(output, modules, shared)
  })
}

async function openModules(app, names, temporary, { base }) {
  const ids = names.filter((name) => !isPath(name))
  const others = []
  for (const [index, name] of names.filter(isPath).entries()) {
    others.push(await openModule(name, join(temporary, `module-${index}`)))
  }
  if (ids.length === 0) return { modules: others, lock: undefined }
  const { tree } = await renderBase(app, temporary, {
    base,
    select(available) {
      refuseUnknown(
        ids,
        available.map(({ id }) => id),
      )
      return [...new Set([...app.record.modules, ...ids])]
    },
  })
  const own = modulesIn(tree)
    .filter(({ id }) => ids.includes(id))
    .map((module) => ({ ...module, files: subtree(tree, moduleFolder(module.id)) }))
  return { modules: [...own, ...others], lock: jsonOf(tree, 'package-lock.json') }
}

function refuseUnknown(ids, available) {
  const unknown = ids.find((id) => !available.includes(id))
  if (unknown === undefined) return
  const isHere = existsSync(join(unknown, 'package.json'))
  const path = isHere ? `./${unknown}` : `../${unknown}`
  throw new CommandError(
    [
      `Unknown module: ${unknown}.${didYouMean(unknown, available)}`,
      `Modules of the template: ${available.join(', ')}.`,
      `Give the path of any other module: npx plinth add ${path}, or its tarball from npm pack.`,
    ].join('\n'),
    [],
    { available },
  )
}

function isThirdParty({ from }) {
  return from !== undefined
}

function refuseConflicts(app, modules, present) {
  const installed = present.map(({ id }) => id)
  for (const { id, requires } of modules) {
    if (installed.includes(id)) throw new CommandError(`Module ${id} is already installed.`)
    if (existsSync(join(app.folder, moduleFolder(id)))) {
      throw new CommandError(`Folder ${moduleFolder(id)} already exists. Move or delete it first.`)
    }
    const available = [...installed, ...modules.map((module) => module.id)]
    const missing = requires.filter((other) => !available.includes(other))
    if (missing.length > 0) {
      throw new CommandError(
        `Module ${id} requires ${missing.join(' and ')}. Run: npx plinth add ${[...missing, id].join(' ')}`,
        [],
        { missing },
      )
    }
  }
}

function withModules({ folder, record }, modules) {
  const own = modules.filter((module) => !isThirdParty(module)).map(({ id }) => id)
  const added = modules
    .filter(isThirdParty)
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

function report(output, modules, shared) {
  for (const { id, files } of modules)
    output.print(`Added ${id}: ${files.size} files in ${moduleFolder(id)}`)
  for (const path of shared.keys()) output.print(`Changed ${path}`)
  for (const path of modules.flatMap(({ leftOut = [] }) => leftOut))
    output.print(`Left out ${path}`)
  const settings = modules.flatMap((module) => Object.keys(module.settings))
  if (settings.length > 0) output.print(`New settings in .env.example: ${settings.join(', ')}`)
  output.print('\nNext: run npm start to install, build and migrate.')
  return {
    added: modules.map(({ id, version }) => ({ id, version })),
    changed: [...shared.keys()],
    settings,
  }
}
