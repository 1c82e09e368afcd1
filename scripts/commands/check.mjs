import { check } from '../check/check.mjs'
import { install } from '../setup/install.mjs'

export const help = {
  usage: 'npm run check',
  summary:
    'Update the generated files, then check declarations, types, style, imports and unused code.',
  options: { 'CI=true': 'fail if the generated files are outdated, instead of updating them' },
}

export async function run() {
  await install()
  const { failed } = await check()
  if (failed > 0) process.exitCode = 1
}
