import { coreTestsLine } from '../app/core-tests.mjs'
import { findModuleEdits } from '../app/edits.mjs'
import { installedModules } from '../app/installed.mjs'
import { openApp } from '../app/record.mjs'
import { renderBase } from '../app/render-base.mjs'
import { modulesOfVersion } from '../origin/render-version.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'

export async function run({ flags, output }) {
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  return withTemporaryFolder(async (temporary) => {
    const installed = await installedModules(app.folder)
    const { tree, cli } = await renderBase(app, temporary, flags)
    const rows = []
    for (const module of installed) {
      const isFromTemplate = app.record.modules.includes(module.id)
      const { edited } = await findModuleEdits(app.folder, module.id, tree)
      const from = isFromTemplate ? 'template' : (app.record.added[module.id]?.from ?? 'this app')
      const edits = isFromTemplate && { edited: edited.length }
      rows.push({ ...module, installed: true, from, ...edits })
    }
    for (const module of await modulesOfVersion(cli)) {
      if (!installed.some(({ id }) => id === module.id)) {
        rows.push({ ...module, installed: false, from: 'template' })
      }
    }
    for (const line of table(rows)) output.print(line)
    output.print(coreTestsLine(app.record))
    return {
      version: app.record.version,
      coreTests: app.record.coreTests === true,
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
