import { findAddedEdits, findModuleEdits } from '../app/edits.mjs'
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
      rows.push({ ...module, installed: true, ...(await originOf(app, module.id, tree)) })
    }
    for (const module of await modulesOfVersion(cli)) {
      if (!installed.some(({ id }) => id === module.id)) {
        rows.push({ ...module, installed: false, from: 'template' })
      }
    }
    for (const line of table(rows)) output.print(line)
    output.print(engineLine(app.record))
    return {
      version: app.record.version,
      ejected: app.record.ejected === true,
      modules: rows.map(({ id, version, description, protects, installed, from, edited }) => ({
        id,
        version,
        description,
        protects,
        installed,
        from,
        edited,
      })),
    }
  })
}

function engineLine({ ejected }) {
  return `\nEngine: ${ejected ? 'its sources are in packages/plinth' : 'the package in vendor'}`
}

/** Where a module is from, and how many of its files were edited, if there is an original. */
async function originOf({ folder, record }, id, tree) {
  if (record.modules.includes(id)) {
    const { edited } = await findModuleEdits(folder, id, tree)
    return { from: 'template', edited: edited.length }
  }
  const added = record.added[id]
  if (!added) return { from: 'this app' }
  const { edited } = await findAddedEdits(folder, id, added)
  return { from: added.from, edited: edited.length }
}

function table(rows) {
  const width = Math.max(0, ...rows.map(({ id }) => id.length))
  return rows.map(({ id, installed, edited, description, from }) => {
    const state = !installed ? 'not installed' : edited ? `${edited} edited` : 'installed'
    const text = [description, originText(from)].filter(Boolean).join(' ')
    return `${id.padEnd(width)}  ${state.padEnd(13)}  ${text}`
  })
}

function originText(from) {
  if (from === 'template') return ''
  if (from === 'this app') return '(written in this app)'
  return from === 'generate' ? '(generated in this app)' : `(from ${from})`
}
