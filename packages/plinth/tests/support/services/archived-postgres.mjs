import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onShutdown, startProcess } from '../../../scripts/processes.mjs'
import {
  captureOutput,
  freePort,
  startPostgres,
  unprivilegedUser,
  waitUntilReady,
} from '../../../scripts/services/programs.mjs'

const run = promisify(execFile)

/**
 * A server that archives its log, as docs/deploying.md describes it, and the recovery from a base
 * backup and that archive.
 *
 * @param {string} bin The folder of PostgreSQL's server programs.
 */
export async function startArchivedPostgres(bin) {
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-archive-'))
  const removeFolder = onShutdown(() => rm(folder, { recursive: true, force: true }))
  const archive = join(folder, 'archive')
  const base = join(folder, 'base')
  await mkdir(archive)
  for (const path of user ? [folder, archive] : []) await chown(path, user.uid, user.gid)
  const options = { cwd: folder, ...user }
  const writeOwned = async (path, text) => {
    await writeFile(path, text)
    if (user) await chown(path, user.uid, user.gid)
  }
  const server = await startPostgres(bin, {
    settings: {
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    },
  })
  let recovered

  return {
    url: server.url,
    archived: () => readdir(archive),
    baseBackup: () =>
      run(join(bin, 'pg_basebackup'), ['-D', base, '-c', 'fast', '-d', server.url], options),

    /** Starts another server with the data of that time, and returns its URL. */
    async recover(time) {
      const settings = [
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${time}'`,
        `recovery_target_action = 'promote'`,
      ]
      await writeOwned(join(base, 'postgresql.auto.conf'), settings.join('\n'))
      await writeOwned(join(base, 'recovery.signal'), '')
      const port = await freePort()
      const args = [
        ...['-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1'],
        // A recovery needs as many connections as the server had.
        ...['-c', `unix_socket_directories=${folder}`, '-c', 'max_connections=200'],
      ]
      recovered = startProcess(join(bin, 'postgres'), ['-D', base, ...args], {
        ...options,
        stopSignal: 'SIGQUIT',
      })
      const output = captureOutput(recovered.child)
      const url = `postgres://postgres@127.0.0.1:${port}/postgres`
      await waitUntilReady('PostgreSQL', { exited: recovered.exited, output }, () =>
        takesWrites(join(bin, 'psql'), url),
      )
      return url
    },

    async stop() {
      await recovered?.stop()
      await server.stop()
      await removeFolder()
    },
  }
}

async function takesWrites(psql, url) {
  try {
    const { stdout } = await run(psql, ['-At', '-c', 'select pg_is_in_recovery()', url])
    return stdout.trim() === 'f'
  } catch {
    return false
  }
}
