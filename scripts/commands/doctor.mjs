import { pathToFileURL } from 'node:url'
import { build } from '../build/build.mjs'
import { doctorBundle } from '../build/bundle-server.mjs'
import { root } from '../paths.mjs'
import { install } from '../setup/install.mjs'

/** Installs and builds what changed, then becomes the program, which reads its arguments itself. */
export async function run(args) {
  process.chdir(root)
  await aside(async () => {
    await install()
    await build()
  })
  process.argv.splice(2, process.argv.length, ...args)
  process.env.NODE_ENV = 'production'
  await import(pathToFileURL(doctorBundle).href)
}

/** On the standard output is what the doctor says and nothing else: a program may be reading it. */
async function aside(work) {
  const { write } = process.stdout
  process.stdout.write = process.stderr.write.bind(process.stderr)
  try {
    await work()
  } finally {
    process.stdout.write = write
  }
}
