import { findCommandLine } from '../plinth/find-command-line.mjs'
import { runAttached } from '../processes.mjs'

/** Hands over to the template's own program, in the version this app was made from. */
export async function run(args) {
  if (args[0] === 'doctor') {
    const doctor = await import('./doctor.mjs')
    return doctor.run(args.slice(1))
  }
  const [program, ...first] = await findCommandLine(args)
  const { code } = await runAttached(program, [...first, ...args], {
    cwd: process.cwd(),
  })
  process.exitCode = code
}
