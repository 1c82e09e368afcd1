import { build } from '../build/build.mjs'
import { install } from '../setup/install.mjs'

export const help = {
  usage: 'npm run build',
  summary: 'Install and build if needed. Then node dist/server.js serves.',
}

export async function run() {
  await install()
  await build()
}
