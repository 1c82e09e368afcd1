import { pathToFileURL } from 'node:url'
import { build } from '../build/build.mjs'
import { serverBundle } from '../build/bundle-server.mjs'
import { root } from '../paths.mjs'
import { install } from '../setup/install.mjs'

export const help = {
  usage: 'npm start',
  summary: 'Install and build if needed, apply the migrations and serve. Settings: .env.example.',
}

/** Installs and builds if needed, then runs the server in this process, so that it gets the signals. */
export async function run() {
  process.chdir(root)
  await install()
  await build()
  Object.assign(process.env, { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })
  await import(pathToFileURL(serverBundle).href)
}
