import { existsSync } from 'node:fs'
import { inRoot } from '../paths.mjs'
import { findCli } from '../plinth/find-cli.mjs'
import { onShutdown, runAttached } from '../processes.mjs'
import { printError, wantsHelp, withStdoutToStderr } from '../terminal.mjs'

/** Runs the Plinth CLI in the version that this app was created with. */
export async function run(args) {
  if (args[0] === 'doctor') {
    const { runCommand } = await import('./commands.mjs')
    return runCommand('doctor', args.slice(1))
  }
  const { command, env } = await untilCanceled(async () => {
    if (args[0] === 'generate' && !wantsHelp(args)) await installFormatter()
    return findCli(args)
  })
  const [program, ...programArgs] = command
  const { code } = await runAttached(program, [...programArgs, ...args], {
    cwd: process.cwd(),
    env: { ...process.env, ...env },
  })
  process.exitCode = code
}

/** The CLI says itself what a cancellation has left. Before it runs, the app is untouched. */
async function untilCanceled(prepare) {
  let done = false
  const finish = onShutdown(async () => {
    if (!done) printError('Canceled. Nothing was changed.')
  })
  try {
    return await prepare()
  } finally {
    done = true
    await finish()
  }
}

/** Generated code is formatted by the project's Biome. */
async function installFormatter() {
  if (existsSync(inRoot('node_modules', '@biomejs', 'biome'))) return
  const { install } = await import('../setup/install.mjs')
  await withStdoutToStderr(install)
}
