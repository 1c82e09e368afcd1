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
 * A lock file made on another platform may leave one out without a word (npm/cli #4828). Serving
 * and building can do without those marked as a tool.
 */
const packages = [
  { name: '@node-rs/argon2' },
  { name: 'next', works: loadNextCompiler },
  { name: 'lightningcss' },
  { name: '@tailwindcss/oxide' },
  { name: 'esbuild', works: runEsbuild },
  { name: 'typescript', works: () => runs('typescript/bin/tsc') },
  { name: '@biomejs/biome', works: () => runs('@biomejs/biome/bin/biome'), tool: true },
  { name: '@swc/core', tool: true },
  { name: 'rollup', tool: true },
]

/** Asks a new process, since this one would remember what it could not find a moment ago. */
export async function findBrokenBindings() {
  const { stdout } = await run(process.execPath, [fileURLToPath(import.meta.url)], { cwd: root })
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

async function tryEach() {
  const broken = []
  for (const { name, works = () => import(name), tool = false } of packages) {
    if (!existsSync(inRoot('node_modules', name))) continue
    try {
      await works()
    } catch {
      broken.push({ name, tool })
    }
  }
  return broken
}

function runs(path) {
  return run(process.execPath, [inRoot('node_modules', path), '--version'])
}

/** By its own means: bin/esbuild is a script or, where npm ran its install script, the binary. */
async function runEsbuild() {
  const { transform, stop } = await import('esbuild')
  await transform('')
  await stop()
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
