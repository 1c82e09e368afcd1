import { pathToFileURL } from 'node:url'
import { build } from '../build/build.mjs'
import { doctorBundle } from '../build/bundle-server.mjs'
import { root } from '../paths.mjs'
import { install } from '../setup/install.mjs'

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

/** A program may parse the doctor's standard output, so it must contain nothing else. */
async function withStdoutToStderr(work) {
  const { write } = process.stdout
  process.stdout.write = process.stderr.write.bind(process.stderr)
  try {
    await work()
  } finally {
    process.stdout.write = write
  }
}
