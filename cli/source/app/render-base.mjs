import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { renderVersion } from '../origin/render-version.mjs'
import { resolveVersion } from '../origin/resolve-version.mjs'

/** The unedited files of this app as the template wrote them, optionally with other choices. */
export async function renderBase(app, folder, { base, ...choices } = {}) {
  const { record } = app
  const { modules = record.modules, coreTests = record.coreTests } = choices
  const origin = base ? await resolveVersion(base, record.from) : record.from
  const version = base ? undefined : record.version
  const rendered = await renderVersion(
    origin,
    { ...record, modules, coreTests },
    join(folder, 'base'),
    version,
  ).catch((error) => {
    if (!(error instanceof CommandError) || base) throw error
    throw new CommandError(
      `${error.message} Pass Plinth ${record.version}, the version of this app, with --base.`,
      error.details,
    )
  })
  if (rendered.version === record.version) return rendered
  throw new CommandError(
    `--base is version ${rendered.version}, but this app was created from ${record.version}.`,
  )
}
