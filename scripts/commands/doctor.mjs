import { pathToFileURL } from 'node:url'
import { build } from '../build/build.mjs'
import { doctorBundle } from '../build/bundle-server.mjs'
import { root } from '../paths.mjs'
import { install } from '../setup/install.mjs'
import { withStdoutToStderr } from '../terminal.mjs'

export const help = {
  usage: 'npm run doctor -- [options]',
  summary: 'Check this installation for problems and say how to fix them.',
  options: {
    '--url URL': 'also check the responses of the app at this URL',
    '--json': 'print JSON',
    '--strict': 'exit with 1 on warnings too',
    '--rolling': 'tell whether the running version may serve during the pending migrations',
  },
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
  await import(pathToFileURL(doctorBundle).href)
}
