import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { modulesOfVersion, openVersion, renderWith } from '../origin/render-version.mjs'
import { resolveVersion } from '../origin/resolve-version.mjs'

/**
 * The unedited files of this app as the template wrote them, optionally with core's tests or with
 * other modules: `select` gets the modules of that version and returns the ids.
 */
export async function renderBase(app, folder, { base, ...choices } = {}) {
  const { record } = app
  const { select = () => record.modules, coreTests = record.coreTests } = choices
  const origin = base ? await resolveVersion(base, record.from) : record.from
  const known = base ? undefined : record.version
  const target = join(folder, 'base')
  const { cli, version } = await openVersion(origin, target, known).catch((error) => {
    if (!(error instanceof CommandError) || base) throw error
    throw new CommandError(
      `${error.message} Pass Plinth ${record.version}, the version of this app, with --base.`,
      error.details,
    )
  })
  if (version !== record.version) {
    throw new CommandError(
      `--base is version ${version}, but this app was created from ${record.version}.`,
    )
  }
  const modules = select(await modulesOfVersion(cli))
  const tree = await renderWith(cli, { ...record, modules, coreTests }, target)
  return { tree, version, cli }
}
