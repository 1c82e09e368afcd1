import { pathToFileURL } from 'node:url'
import { build } from '../build/build.mjs'
import { adminBundle } from '../build/bundle-server.mjs'
import { root } from '../paths.mjs'
import { install } from '../setup/install.mjs'

/** Installs and builds what changed, then becomes the program, which reads the address itself. */
export async function run() {
  process.chdir(root)
  await install()
  await build()
  process.env.NODE_ENV = 'production'
  await import(pathToFileURL(adminBundle).href)
}
