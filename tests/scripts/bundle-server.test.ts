import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { bundleOptions } from '../../scripts/build/build.mjs'

// In the project, so that Node finds the packages.
const folder = join('test-results', `bundle-${process.pid}`)
mkdirSync(folder, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Bundles a program as the server is bundled, runs it in plain Node and returns its output. */
async function runBundled(program: string): Promise<string> {
  const outfile = join(folder, 'program.mjs')
  const stdin = { contents: program, resolveDir: process.cwd(), loader: 'ts' as const }
  await build({ ...(bundleOptions as BuildOptions), stdin, outfile })
  const env = { ...process.env, LOG_LEVEL: 'error' }
  return execFileSync(process.execPath, [outfile], { encoding: 'utf8', env })
}

const imported = `
import { mutation } from 'plinth/guard/mutation'
import { isSignedIn } from 'plinth/guard/policy'
import { z } from 'zod'

const declaration = {
  name: 'rename',
  authorize: isSignedIn,
  rateLimit: { times: 1, seconds: 1 },
  input: z.object({}),
}
const rename = mutation(declaration, async () => ({}))
`

test('a mutation can be imported outside Next', async () => {
  expect(await runBundled(`${imported} console.log(rename.guard.name)`)).toBe('rename\n')
})

test('calling it as a server action outside Next fails, and the log says why', async () => {
  const output = await runBundled(
    `${imported} rename(new FormData()).then(({ code }) => console.log('code', code))`,
  )
  expect(output).toContain('code internal\n')
  expect(output).toContain('was called outside a request scope')
})
