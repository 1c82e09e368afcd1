import { Stop } from '../failure.mjs'
import { modulesHaveDrifted, updateModules } from '../modules/modules-file.mjs'

export async function run(args) {
  if (!args.includes('--check')) return updateModules()
  if (await modulesHaveDrifted()) {
    throw new Stop('src/modules.ts does not match the module folders: run `npm run modules`.')
  }
}
