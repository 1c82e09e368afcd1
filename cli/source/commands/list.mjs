import { baseOf } from '../app/base.mjs'
import { editsOfModule } from '../app/edits.mjs'
import { installedModules } from '../app/installed.mjs'
import { openApp } from '../app/record.mjs'
import { recoverIfNeeded } from '../change/recover.mjs'
import { allModulesAt } from '../origin/versions.mjs'
import { withTemporaryFolder } from '../temporary.mjs'

export async function run({ flags, output }) {
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  return withTemporaryFolder(async (temporary) => {
    const present = await installedModules(app.folder)
    const { tree, cli } = await baseOf(app, temporary, flags)
    const rows = []
    for (const module of present) {
      const isOwn = app.record.modules.includes(module.id)
      const { edited } = await editsOfModule(app.folder, module.id, tree)
      const from = isOwn ? 'template' : (app.record.added[module.id]?.from ?? 'this app')
      rows.push({ ...module, installed: true, from, ...(isOwn && { edited: edited.length }) })
    }
    for (const module of await allModulesAt(cli)) {
      if (!present.some(({ id }) => id === module.id)) {
        rows.push({ ...module, installed: false, from: 'template' })
      }
    }
    for (const line of table(rows)) output.say(line)
    return {
      version: app.record.version,
      modules: rows.map(({ id, version, description, installed, from, edited }) => ({
        id,
        version,
        description,
        installed,
        from,
        edited,
      })),
    }
  })
}

function table(rows) {
  const width = Math.max(0, ...rows.map(({ id }) => id.length))
  return rows.map(({ id, installed, edited, description }) => {
    const state = !installed ? 'not installed' : edited ? `${edited} edited` : 'installed'
    return `${id.padEnd(width)}  ${state.padEnd(13)}  ${description}`
  })
}
