import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from '../../cli/support/run'
import { packedTemplate, temporaryFolder, unpack } from '../../cli/support/template'
import { applySteps, type RunCommand } from './apply-steps'
import { parseDocument } from './parse-document'

type Options = {
  /** Called once the app exists. */
  prepare: (app: string) => void | Promise<void>
  /** Runs a command in the app. */
  runCommand: RunCommand
}

/** Follows packages/plinth/docs/tutorial.md from the first to the last step in a fresh app. Returns its folder. */
export async function followTutorial({ prepare, runCommand }: Options): Promise<string> {
  const cli = unpack(packedTemplate())
  const parent = temporaryFolder()
  const app = join(parent, 'reading')
  const steps = parseDocument(readFileSync('packages/plinth/docs/tutorial.md', 'utf8'))
  await applySteps(steps, app, async (command, folder) => {
    const created = /^npm create plinth@latest reading -- (.+)\ncd reading\n$/.exec(command)
    if (!created) return runCommand(command, folder)
    // Not published yet, so the packed template stands in for the registry.
    const create = [join(cli, 'bin/create-plinth.mjs'), 'reading', ...(created[1] ?? '').split(' ')]
    const { code, out, err } = run(process.execPath, create, parent)
    expect(code, out + err).toBe(0)
    await prepare(app)
    return out
  })
  return app
}
