import { existsSync } from 'node:fs'
import { inRoot } from '../paths.mjs'
import { findCli } from '../plinth/find-cli.mjs'
import { runAttached } from '../processes.mjs'
import { wantsHelp, withStdoutToStderr } from '../terminal.mjs'

/** Runs the Plinth CLI in the version that this app was created with. */
export async function run(args) {
  if (args[0] === 'doctor') {
    const { runCommand } = await import('./commands.mjs')
    return runCommand('doctor', args.slice(1))
  }
  if (args[0] === 'generate' && !wantsHelp(args)) await installFormatter()
  const { command, env } = await findCli(args)
  const [program, ...programArgs] = command
  const { code } = await runAttached(program, [...programArgs, ...args], {
    cwd: process.cwd(),
    env: { ...process.env, ...env },
  })
  process.exitCode = code
}

/** Generated code is formatted by the project's Biome. */
async function installFormatter() {
  if (existsSync(inRoot('node_modules', '@biomejs', 'biome'))) return
  const { install } = await import('../setup/install.mjs')
  await withStdoutToStderr(install)
}
