import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { rememberLocally } from '../origin/local-origin.mjs'
import { locate } from '../origin/locate.mjs'
import { modulesOfVersion, openVersion, renderWith } from '../origin/render-version.mjs'
import { resolveBase } from '../origin/resolve-version.mjs'

/**
 * The unedited files of this app as the template wrote them, optionally with or without the sources
 * of the engine, or with other modules: `select` gets the modules of that version and returns the ids.
 */
export async function renderBase(app, folder, { base, ...choices } = {}) {
  const { record } = app
  const { select = () => record.modules, ejected = record.ejected } = choices
  const target = join(folder, 'base')
  const given = base === undefined ? undefined : await resolveBase(base, app)
  const opened = await (given ? openVersion(given, target) : openRecorded(app, target))
  const { cli, version } = opened
  if (version !== record.version) {
    throw new CommandError(
      `--base is version ${version}, but this app was created from ${record.version}.`,
    )
  }
  if (given) await rememberLocally(app.folder, given, version)
  const modules = select(await modulesOfVersion(cli))
  const tree = await renderWith(opened, { ...record, modules, ejected }, target)
  return { tree, version, cli }
}

function openRecorded(app, target) {
  // If the running CLI has this version itself, the template need not be found.
  return openVersion(() => locate(app), target, app.record.version).catch((error) => {
    if (!(error instanceof CommandError) || error.message.includes('--base')) throw error
    throw new CommandError(
      `${error.message} Pass Plinth ${app.record.version}, the version of this app, with --base.`,
      error.details,
    )
  })
}
