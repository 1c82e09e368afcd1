import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles a program of `packages/plinth/tests/support/programs` for Node. */
export async function compileProgram(name: string): Promise<string> {
  // Inside the project, so that Node finds its packages.
  const outfile = resolve('test-results/programs', `${basename(name, '.ts')}-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL(`programs/${name}`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.9',
    packages: 'external',
    alias: { 'server-only': resolve('tests/support/server-only.ts') },
  })
  return outfile
}
