import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../programs.mjs'

/**
 * A repository with one commit. Inside another one it is left to that; without git, or without a
 * name to commit under, the app is still whole.
 *
 * @returns {Promise<'committed' | 'staged' | 'inside' | 'none'>}
 */
export async function initialiseGit(folder) {
  const git = (...args) => run('git', args, { cwd: folder })
  try {
    if ((await git('rev-parse', '--is-inside-work-tree')).code === 0) return 'inside'
    if ((await git('init', '--quiet', '--initial-branch=main')).code !== 0) return 'none'
    if ((await git('add', '--all')).code !== 0) {
      await rm(join(folder, '.git'), { recursive: true, force: true })
      return 'none'
    }
    const message = 'Begin with Plinth'
    return (await git('commit', '--quiet', '-m', message)).code === 0 ? 'committed' : 'staged'
  } catch {
    return 'none'
  }
}
