#!/usr/bin/env node
// Parsed by every Node that loads ES modules: no syntax and no `node:` here that Node 12 cannot read.
import { spawnSync } from 'child_process'
import { existsSync, mkdirSync, readFileSync } from 'fs'
import { join } from 'path'
import { fileURLToPath, pathToFileURL } from 'url'

const root = fileURLToPath(new URL('..', import.meta.url))
const ejected = join(root, 'packages/plinth/scripts/run.mjs')
const installed = join(root, 'node_modules/plinth/scripts/run.mjs')

if (!existsSync(ejected)) requireEngine()
import(pathToFileURL(existsSync(ejected) ? ejected : installed).href)

/** The engine installs all other packages. So it comes out of its tarball before npm runs. */
function requireEngine() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const tarball = dependencies.plinth.replace(/^file:/, '')
  if (!existsSync(join(root, tarball))) {
    return existsSync(installed) || run('npm', ['install'], 'npm install failed.')
  }
  const wanted = integrityIn('package-lock.json')
  if (existsSync(installed) && wanted === integrityIn('node_modules/.package-lock.json')) return
  const folder = join(root, 'node_modules/plinth')
  mkdirSync(folder, { recursive: true })
  const args = ['-xzf', tarball, '--strip-components=1', '-C', folder]
  run('tar', args, `Cannot unpack ${tarball}. Restore it from git.`)
}

/** npm writes what it has installed to a lock file in node_modules. */
function integrityIn(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages['node_modules/plinth']
      .integrity
  } catch (_error) {
    return undefined
  }
}

function run(program, args, message) {
  const shell = process.platform === 'win32' && program === 'npm'
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', shell })
  if (status === 0) return
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
