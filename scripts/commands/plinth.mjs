import { findCli } from '../plinth/find-cli.mjs'
import { runAttached } from '../processes.mjs'

/** Runs the Plinth CLI in the version that this app was created with. */
export async function run(args) {
  if (args[0] === 'doctor') {
    const doctor = await import('./doctor.mjs')
    return doctor.run(args.slice(1))
  }
  const [program, ...programArgs] = await findCli(args)
  const { code } = await runAttached(program, [...programArgs, ...args], { cwd: process.cwd() })
  process.exitCode = code
}
