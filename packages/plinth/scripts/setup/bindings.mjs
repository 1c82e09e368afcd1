import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inRoot, root } from '../paths.mjs'

const run = promisify(execFile)
const require = createRequire(inRoot('package.json'))

/**
 * Packages with a native binary per platform, and a check that it loads. npm silently omits a binary
 * if the lock file was written on another platform (npm/cli #4828). Those marked as a tool are not
 * needed to build or serve.
 */
const packages = [
  { name: '@node-rs/argon2' },
  { name: 'next', check: loadNextCompiler },
  { name: 'lightningcss' },
  { name: '@tailwindcss/oxide' },
  { name: 'esbuild', check: runEsbuild },
  { name: 'typescript', check: () => runVersion('typescript/bin/tsc') },
  { name: '@biomejs/biome', check: () => runVersion('@biomejs/biome/bin/biome'), tool: true },
  { name: '@swc/core', tool: true },
  { name: 'rollup', tool: true },
]

/** Runs in a new process, because Node caches failed module lookups. */
export async function findBrokenBindings() {
  const { stdout } = await run(process.execPath, [fileURLToPath(import.meta.url)], { cwd: root })
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

async function checkEach() {
  const broken = []
  for (const { name, check = () => import(name), tool = false } of packages) {
    if (!existsSync(inRoot('node_modules', name))) continue
    try {
      await check()
    } catch {
      broken.push({ name, tool })
    }
  }
  return broken
}

function runVersion(path) {
  return run(process.execPath, [inRoot('node_modules', path), '--version'])
}

/** Through its API: bin/esbuild is a script or, if npm ran its install script, the binary. */
async function runEsbuild() {
  const { transform, stop } = await import('esbuild')
  await transform('')
  await stop()
}

/** If the package is missing, Next downloads its compiler. */
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
  process.stdout.write(`${JSON.stringify(await checkEach())}\n`, () => process.exit())
}
