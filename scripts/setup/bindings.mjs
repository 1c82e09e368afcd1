import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inRoot, root } from '../paths.mjs'

const run = promisify(execFile)
const require = createRequire(inRoot('package.json'))

/**
 * The packages whose work is done by a binary for this platform, and what shows that it is there.
 * A lock file made on another platform may leave one out without a word (npm/cli #4828).
 */
const packages = [
  { name: '@node-rs/argon2', works: () => import('@node-rs/argon2') },
  { name: 'next', works: loadNextCompiler },
  { name: 'lightningcss', works: () => import('lightningcss') },
  { name: '@tailwindcss/oxide', works: () => import('@tailwindcss/oxide') },
  { name: 'esbuild', works: () => runsAt('esbuild/bin/esbuild') },
  { name: '@swc/core', works: () => import('@swc/core') },
  { name: 'rollup', works: () => import('rollup') },
  { name: '@biomejs/biome', works: () => runsAt('@biomejs/biome/bin/biome') },
  { name: 'typescript', works: () => runsAt('typescript/bin/tsc') },
  { name: 'oxc-parser', works: () => import('oxc-parser') },
  { name: 'oxc-resolver', works: () => import('oxc-resolver') },
]

/** Asks a new process, since this one would remember what it could not find a moment ago. */
export async function findBrokenBindings() {
  const { stdout } = await run(process.execPath, [fileURLToPath(import.meta.url)], { cwd: root })
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

async function tryEach() {
  const broken = []
  for (const { name, works } of packages) {
    if (!existsSync(inRoot('node_modules', name))) continue
    try {
      await works()
    } catch {
      broken.push(name)
    }
  }
  return broken
}

function runsAt(path) {
  return run(process.execPath, [inRoot('node_modules', path), '--version'])
}

/** Next falls back to downloading its compiler when the package is missing. */
function loadNextCompiler() {
  const prefix = `swc-${process.platform}-${process.arch}`
  const candidates = readdirSync(inRoot('node_modules', '@next')).filter((name) =>
    name.startsWith(prefix),
  )
  const loaded = candidates.some((name) => {
    try {
      return require(`@next/${name}`)
    } catch {
      return false
    }
  })
  if (!loaded) throw new Error(`no ${prefix}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${JSON.stringify(await tryEach())}\n`, () => process.exit())
}
