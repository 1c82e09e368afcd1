import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'plinth/testing'
import { expect, test } from 'vitest'
import { freePort } from '../../../packages/plinth/scripts/services/programs.mjs'
import { temporaryFolder } from '../support/project'

/** At night: it installs from the registry. CI runs on a clean clone too, and installs and builds it. */
test('npm start serves a clean clone, and a second start neither installs nor builds', {
  timeout: 300_000,
}, async () => {
  const folder = join(temporaryFolder(), 'clone')
  execFileSync('git', ['clone', '--quiet', process.cwd(), folder])
  const settings = { PORT: String(await freePort()), DATABASE_URL: '', CI: '', LOG_LEVEL: 'info' }
  // The script behind `npm start`: npm does not forward signals.
  const start = () => run(process.execPath, [join(folder, 'scripts/start.mjs'), 'start'], settings)

  for (const again of [false, true]) {
    const server = start()
    await server.waitFor(/ready at /)
    const response = await fetch(`http://127.0.0.1:${settings.PORT}/api/health`)
    expect(await response.text()).toBe('{"status":"ok"}')
    expect(/Installing dependencies/.test(server.output())).toBe(!again)
    expect(/Building/.test(server.output())).toBe(!again)
    server.child.kill('SIGTERM')
    expect(await server.exited).toBe(0)
  }
  expect(existsSync(join(folder, '.data', 'lock.json'))).toBe(false)
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder }).toString()).toBe('')
})
