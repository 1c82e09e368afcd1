import { CommandError } from '../command-error.mjs'
import { runOrFail } from '../programs.mjs'
import { findCommit } from './origin.mjs'

/**
 * A bare clone of a repository. `npx plinth` passes the one of its cache; it is cloned into the folder
 * only if that does not have the commit.
 */
export async function mirror(url, folder, commit) {
  const cached = process.env.PLINTH_MIRROR
  if (cached && (await findCommit(cached, commit))) return cached
  // Without this, git would wait for a password.
  const env = { GIT_TERMINAL_PROMPT: '0' }
  await runOrFail('git', ['clone', '--quiet', '--mirror', '--', url, folder], { env }).catch(
    (error) => {
      throw new CommandError(`Cannot clone ${url}.`, error.details)
    },
  )
  if (await findCommit(folder, commit)) return folder
  throw new CommandError(`${url} has no commit ${commit}.`)
}
