import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** The errors of bundling a client component with these imports for browsers. */
async function errorsOf(imports: string): Promise<string[]> {
  const contents = `'use client'\n${imports}\n`
  const stdin = { contents, resolveDir: process.cwd(), loader: 'ts' as const }
  return build({ stdin, bundle: true, platform: 'browser', write: false, logLevel: 'silent' }).then(
    () => [],
    ({ errors }) => errors.map(({ text }: { text: string }) => text),
  )
}

test('a client component cannot import code of the server from the engine', async () => {
  expect(
    await errorsOf(`import { database } from 'plinth/db/client'\nconsole.log(database)`),
  ).toEqual([expect.stringContaining('plinth/db/client')])
})

test('it can import what browsers run too', async () => {
  const imports = `import { demoPassword } from 'plinth/universal/users'\nconsole.log(demoPassword)`
  expect(await errorsOf(imports)).toEqual([])
})
