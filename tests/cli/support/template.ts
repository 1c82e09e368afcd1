import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', list, { encoding: 'utf8' }).split('\0').filter(Boolean)
  for (const path of paths.filter((path) => existsSync(path))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(repository, path), join(folder, path))
  }
  return folder
}

/** What `npm pack` makes of it. */
export function pack(template: string, destination: string): string {
  const args = ['pack', '--silent', '--pack-destination', destination]
  const name = execFileSync('npm', args, { cwd: join(template, 'cli'), encoding: 'utf8' })
  return join(destination, name.trim().split('\n').at(-1) ?? '')
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
