import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../errors.mjs'
import { inRoot, root } from '../paths.mjs'

const noActions = fileURLToPath(new URL('./no-actions.cjs', import.meta.url))

const replaced = {
  // Throws outside a React bundler. It has no exports.
  'server-only': noActions,
  'next/cache': noActions,
  'next/headers': noActions,
  'next/navigation': noActions,
  'next-safe-action': noActions,
}

export const bundleOptions = {
  absWorkingDir: root,
  tsconfig: 'tsconfig.json',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.9',
  packages: 'external',
  alias: replaced,
  logLevel: 'silent',
}

/**
 * Bundles src/server.ts and the other programs to dist. Packages stay in node_modules; shared and
 * dynamically imported code goes to dist/chunks.
 */
export async function bundleServer() {
  const { build, stop } = await import('esbuild')
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: ['src/server.ts', 'src/admin-create.ts', 'src/doctor.ts', 'src/migrate.ts'],
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    sourcemap: true,
    write: false,
  }).catch(async (error) => {
    throw new CommandError('Bundling the server failed.', await formatErrors(error))
  })
  // Otherwise the esbuild process stays alive next to the server.
  await stop()
  await rm(inRoot('dist', 'chunks'), { recursive: true, force: true })
  await mkdir(inRoot('dist', 'chunks'), { recursive: true })
  for (const { path, contents } of outputFiles) {
    await writeFile(`${path}.part`, contents)
    await rename(`${path}.part`, path)
  }
}

async function formatErrors({ errors = [], message }) {
  if (errors.length === 0) return [message]
  const { formatMessages } = await import('esbuild')
  return formatMessages(errors, { kind: 'error', color: process.stderr.isTTY === true })
}

export const serverBundle = inRoot('dist', 'server.js')
export const adminBundle = inRoot('dist', 'admin-create.js')
export const doctorBundle = inRoot('dist', 'doctor.js')
export const migrateBundle = inRoot('dist', 'migrate.js')
