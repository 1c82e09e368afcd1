import { CommandError } from '../errors.mjs'
import { findOutdatedFiles, updateModules } from '../modules/generated.mjs'

export const help = {
  usage: 'npm run modules -- [--check]',
  summary: 'Update the lists of modules and OAuth providers from their folders.',
  options: { '--check': 'fail if a list is outdated, and change nothing' },
}

export async function run(args) {
  if (!args.includes('--check')) return updateModules()
  const [outdated] = await findOutdatedFiles()
  if (!outdated) return
  throw new CommandError(
    `${outdated.path} does not match ${outdated.listedFrom}. Run \`npm run modules\`.`,
  )
}
