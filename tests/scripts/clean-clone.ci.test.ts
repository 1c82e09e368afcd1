import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../scripts/services/port.mjs'
import { run } from '../support/program'
import { temporaryFolder } from './support/project'

/** Only where CI runs: it installs from the registry, which a laptop on a train cannot reach. */
test('npm start serves from a clean clone, and again without installing or building', {
  timeout: 300_000,
}, async () => {
  const folder = join(temporaryFolder(), 'clone')
  execFileSync('git', ['clone', '--quiet', process.cwd(), folder])
  const settings = { PORT: String(await freePort()), DATABASE_URL: '', CI: '', LOG_LEVEL: 'info' }
  // As `npm start` runs it; npm itself does not pass a signal on.
  const start = () => run(process.execPath, [join(folder, 'scripts/start.mjs')], settings)

  for (const again of [false, true]) {
    const server = start()
    await server.waitFor(/ready at /)
    const response = await fetch(`http://127.0.0.1:${settings.PORT}/api/health`)
    expect(await response.text()).toBe('{"status":"ok"}')
    expect(/Installing dependencies/.test(server.output())).toBe(!again)
    expect(/Building/.test(server.output())).toBe(!again)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  }
  expect(existsSync(join(folder, '.data', 'lock.json'))).toBe(false)
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder }).toString()).toBe('')
})
