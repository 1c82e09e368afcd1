import { CommandError } from '../errors.mjs'
import { findOutdatedFiles, updateModules } from '../modules/generated.mjs'

export async function run(args) {
  if (!args.includes('--check')) return updateModules()
  const [outdated] = await findOutdatedFiles()
  if (!outdated) return
  throw new CommandError(
    `${outdated.path} does not match ${outdated.listedFrom}. Run \`npm run modules\`.`,
  )
}
