import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll } from 'vitest'

const repository = process.cwd()
const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Gone when the tests of this file are. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plinth-cli-')))
  folders.push(folder)
  return folder
}

/** The template as it is here and now, committed or not, in a folder of its own. */
export function copyTemplate(folder: string): string {
  for (const path of templatePaths()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(repository, path), join(folder, path))
  }
  return folder
}

/**
 * The package that `npm pack` makes of the template here and now. Made once, and again when a file
 * has changed.
 */
export function packedTemplate(): string {
  const facts = templatePaths().map((path) => {
    const { size, mtimeMs } = statSync(path)
    return `${path} ${size} ${mtimeMs}`
  })
  const key = createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 16)
  const place = resolve('test-results/cli', key, 'create-plinth.tgz')
  if (!existsSync(place)) {
    mkdirSync(dirname(place), { recursive: true })
    const made = pack(copyTemplate(temporaryFolder()), temporaryFolder())
    copyFileSync(made, `${place}.${process.pid}`)
    renameSync(`${place}.${process.pid}`, place)
  }
  return place
}

/** What `npm pack` makes of it. */
export function pack(template: string, destination: string): string {
  const args = ['pack', '--silent', '--pack-destination', destination]
  const name = execFileSync('npm', args, { cwd: join(template, 'cli'), encoding: 'utf8' })
  return join(destination, name.trim().split('\n').at(-1) ?? '')
}

function templatePaths(): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', list, { encoding: 'utf8' }).split('\0').filter(Boolean)
  return paths.filter((path) => existsSync(path))
}

/** Another version of it: with these files, as another number. */
export function release(template: string, version: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(template, path)), { recursive: true })
    writeFileSync(join(template, path), text)
  }
  const manifest = join(template, 'cli/package.json')
  const changed = { ...JSON.parse(readFileSync(manifest, 'utf8')), version }
  writeFileSync(manifest, JSON.stringify(changed, null, 2))
}

/** The unpacked package, as it can be run without installing anything. */
export function unpack(tarball: string): string {
  const folder = temporaryFolder()
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
  return join(folder, 'package')
}
