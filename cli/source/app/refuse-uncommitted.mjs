import { CommandError } from '../command-error.mjs'
import { run } from '../programs.mjs'

/** With everything committed, what a command changes can be reviewed and undone. */
export async function refuseUncommitted(folder) {
  const { code, out } = await run('git', ['status', '--porcelain'], { cwd: folder }).catch(() => ({
    code: 1,
  }))
  if (code !== 0)
    throw new CommandError(
      'This app is not in a git repository, so git diff cannot show what changes. Run git init and commit, or use --force.',
    )
  if (out.length > 0) {
    throw new CommandError(
      'There are uncommitted changes. Commit them first, or use --force.',
      out.toString().trimEnd().split('\n'),
    )
  }
}
