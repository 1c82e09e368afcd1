import { CommandError } from '../../command-error.mjs'
import { describeModule, moduleFolder } from '../../template/modules.mjs'
import { has, refuseExistingTable, refusePageConflicts } from '../installed-parts.mjs'
import { moduleModel } from '../model.mjs'
import { moduleFiles } from '../module/files.mjs'

export async function plan(app, [id, ...fields], { owned, shared, singular }) {
  if (owned && shared) throw new CommandError('Give either --owned or --shared, not both.')
  const model = moduleModel(id, fields, { shared, singular })
  const folder = moduleFolder(id)
  const entries = Object.entries(moduleFiles(model)).map(([path, text]) => [
    `${folder}/${path}`,
    text,
  ])
  const files = Object.fromEntries(entries)
  const pages = Object.keys(files).filter((path) => path.endsWith('/page.tsx'))
  if (id === 'api') throw new CommandError('/api is the HTTP API. Choose another name.')
  await refusePageConflicts(app, pages)
  if (!has(app, folder)) await refuseExistingTable(app, model.table)
  return {
    files,
    module: { ...describeModule(JSON.parse(files[`${folder}/package.json`])), isNew: true },
    next: `Next: run npm run dev and open ${model.path}. To remove it: npx plinth remove ${id}`,
  }
}
