import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyTemplate, temporaryFolder } from '../../cli/support/template'

/** A copy of the project with uncommitted changes, ready to run. Removed after the tests of the file. */
export function copyProject(): string {
  const copy = copyTemplate(temporaryFolder())
  for (const shared of ['node_modules', 'next-env.d.ts']) {
    symlinkSync(resolve(shared), join(copy, shared))
  }
  return copy
}
