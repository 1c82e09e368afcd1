import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { ownedFiles } from './owned-files.mjs'
import { printTable } from './table.mjs'

/** How many files and lines the owner of a created app has, by folder. */
export async function benchOwned() {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-owned-'))
  try {
    for (const modules of ['none', 'landing,account,admin,content,security']) {
      const app = join(folder, modules.slice(0, 4))
      const flags = ['--modules', modules, '--providers', 'none', '--yes', '--no-git']
      execFileSync(process.execPath, ['cli/bin/create-plinth.mjs', app, ...flags])
      printOwned(modules, ownedFiles(app))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function printOwned(modules, files) {
  const parts = [...new Set(files.map(({ path }) => partOf(path)))].sort()
  const rows = parts.map((part) => {
    const inPart = files.filter(({ path }) => partOf(path) === part)
    return [part, inPart.length, linesIn(inPart)]
  })
  print(`\nModules: ${modules}`)
  printTable(['', 'files', 'lines'], [...rows, ['all', files.length, linesIn(files)]])
}

function partOf(path) {
  const [first, second, third] = path.split('/')
  if (second === undefined) return '.'
  if (first !== 'src' || third === undefined) return first
  return `src/${second}${/^\(/.test(third) ? `/${third}` : ''}`
}

function linesIn(files) {
  return files.reduce((sum, { lines }) => sum + lines, 0)
}
