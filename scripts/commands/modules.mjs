import { Stop } from '../failure.mjs'
import { drifted, updateModules } from '../modules/generated.mjs'

export async function run(args) {
  if (!args.includes('--check')) return updateModules()
  const [list] = await drifted()
  if (list) throw new Stop(`${list.path} does not match ${list.of}: run \`npm run modules\`.`)
}
