import { pathToFileURL } from 'node:url'
import { build } from '../build/build.mjs'
import { migrateBundle } from '../build/bundle-server.mjs'
import { root } from '../paths.mjs'
import { install } from '../setup/install.mjs'
import { withStdoutToStderr } from '../terminal.mjs'

export const help = {
  usage: 'npm run migrate -- [--list]',
  summary: 'Apply the pending migrations.',
  options: { '--list': 'list them instead' },
}

/** Installs and builds if needed, then runs the program in this process. */
export async function run(args) {
  process.chdir(root)
  await withStdoutToStderr(async () => {
    await install()
    await build()
  })
  process.argv.splice(2, process.argv.length, ...args)
  process.env.NODE_ENV = 'production'
  await import(pathToFileURL(migrateBundle).href)
}
