import { expect, test, vi } from 'vitest'
import { linkPackages } from '../../cli/support/link-packages'
import { exists, run } from '../../cli/support/run'
import { followTutorial } from '../support/tutorial'

vi.setConfig({ testTimeout: 900_000 })

test('every command of the tutorial succeeds', async () => {
  const app = await followTutorial({
    prepare: linkPackages,
    runCommand: (command, folder) => {
      const { code, out, err } = run('bash', ['-euo', 'pipefail', '-c', command], folder, {
        PLINTH_SOURCE: process.cwd(),
      })
      expect(code, `${command}${out}${err}`).toBe(0)
      return out
    },
  })
  expect(exists(app, 'src/app/(books)/books/finished/page.tsx')).toBe(true)
})
