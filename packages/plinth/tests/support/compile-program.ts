import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles a program of `packages/plinth/tests/support/programs` for Node, without the compiled engine. */
export async function compileProgram(name: string): Promise<string> {
  // In the folder of the package, so that Node finds the imports with `#`.
  const outfile = resolve(
    'packages/plinth/test-results',
    `${basename(name, '.ts')}-${process.pid}.mjs`,
  )
  await build({
    entryPoints: [fileURLToPath(new URL(`programs/${name}`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.9',
    packages: 'external',
    external: ['#*'],
  })
  return outfile
}
