import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../programs.mjs'

/**
 * Creates a repository with one commit, unless the folder is already inside one. The app works
 * without git too, and without a git identity, where the files are only staged.
 *
 * @returns {Promise<'committed' | 'staged' | 'inside' | 'none'>}
 */
export async function initializeGit(folder) {
  const git = (...args) => run('git', args, { cwd: folder })
  try {
    if ((await git('rev-parse', '--is-inside-work-tree')).code === 0) return 'inside'
    if ((await git('init', '--quiet', '--initial-branch=main')).code !== 0) return 'none'
    if ((await git('add', '--all')).code !== 0) {
      await rm(join(folder, '.git'), { recursive: true, force: true })
      return 'none'
    }
    const message = 'Create app with Plinth'
    return (await git('commit', '--quiet', '-m', message)).code === 0 ? 'committed' : 'staged'
  } catch {
    return 'none'
  }
}
