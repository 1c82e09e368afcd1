import { pathToFileURL } from 'node:url'
import { build } from '../build/build.mjs'
import { adminBundle } from '../build/bundle-server.mjs'
import { root } from '../paths.mjs'
import { install } from '../setup/install.mjs'

export const help = {
  usage: 'npm run admin:create -- you@example.com',
  summary: 'Make an account an admin and print a link that sets its password.',
}

/** Installs and builds if needed, then runs the program in this process. */
export async function run(args) {
  process.chdir(root)
  await install()
  await build()
  process.argv.splice(2, process.argv.length, ...args)
  process.env.NODE_ENV = 'production'
  await import(pathToFileURL(adminBundle).href)
}
