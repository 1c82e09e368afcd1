import { updateModules } from '../modules/generated.mjs'
import { inRoot } from '../paths.mjs'
import { runAttached } from '../processes.mjs'
import { install } from '../setup/install.mjs'

export const help = {
  usage: 'npm run fix -- [path …]',
  summary: 'Update the generated files, format the sources, and apply safe fixes of Biome.',
  options: { path: 'format and fix only these files or folders' },
}

export async function run(args) {
  await install()
  await updateModules()
  const biome = inRoot('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const { code } = await runAttached(process.execPath, [biome, 'check', '--write', ...args])
  process.exitCode = code
}
