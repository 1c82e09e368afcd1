import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterFile } from 'plinth/testing'
import { expect, vi } from 'vitest'
import { freePort } from '../../../packages/plinth/scripts/services/programs.mjs'
import { run } from './run'

/**
 * Serves the repositories of a folder with git's own server on this machine. `env` makes git use it
 * for https://git.example.com, because only such URLs are recorded.
 */
export async function serveRepositories(folder: string) {
  const port = await freePort()
  const program = join(run('git', ['--exec-path'], folder).out.trim(), 'git-daemon')
  const args = ['--export-all', '--reuseaddr', '--listen=127.0.0.1', `--port=${port}`]
  const child = spawn(program, [...args, `--base-path=${folder}`, folder], { stdio: 'ignore' })
  afterFile(() => void child.kill())
  const env = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.git://127.0.0.1:${port}/.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://git.example.com/',
  }
  const url = 'https://git.example.com/plinth.git'
  await vi.waitFor(() => expect(run('git', ['ls-remote', url], folder, env).code).toBe(0), {
    timeout: 30_000,
  })
  return { url, env }
}
