import { join } from 'node:path'
import { findVersion } from '../origin/find-version.mjs'
import { renderAt } from '../origin/versions.mjs'
import { Stop } from '../stop.mjs'

/** What the template wrote here, before anybody edited it; with other modules if they are given. */
export async function baseOf(app, folder, { base, modules = app.record.modules } = {}) {
  const { record } = app
  const origin = base ? await findVersion(base, record.from) : record.from
  const known = base ? undefined : record.version
  const rendered = await renderAt(
    origin,
    { ...record, modules },
    join(folder, 'base'),
    known,
  ).catch((error) => {
    if (!(error instanceof Stop) || base) throw error
    const line = `${error.message} What this app was made from (${record.version}) is needed for this: name it with --base.`
    throw new Stop(line, error.details)
  })
  if (rendered.version === record.version) return rendered
  throw new Stop(
    `--base is version ${rendered.version}, but this app was made from ${record.version}.`,
  )
}
