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
import { afterFile } from 'plinth/testing'

const repository = process.cwd()
/** Removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plinth-cli-')))
  afterFile(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Copies the template with uncommitted changes. */
export function copyTemplate(folder: string): string {
  for (const path of templatePaths()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(repository, path), join(folder, path))
  }
  return folder
}

/** The package that `npm pack` creates from the template. Cached until a file changes. */
export function packedTemplate(): string {
  const metadata = templatePaths().map((path) => {
    const { size, mtimeMs } = statSync(path)
    return `${path} ${size} ${mtimeMs}`
  })
  const key = createHash('sha256').update(metadata.join('\n')).digest('hex').slice(0, 16)
  const tarball = resolve('test-results/cli', key, 'create-plinth.tgz')
  if (!existsSync(tarball)) {
    mkdirSync(dirname(tarball), { recursive: true })
    const packed = pack(copyTemplate(temporaryFolder()), temporaryFolder())
    copyFileSync(packed, `${tarball}.${process.pid}`)
    renameSync(`${tarball}.${process.pid}`, tarball)
  }
  return tarball
}

/** Runs `npm pack` and returns the tarball. */
export function pack(template: string, destination: string): string {
  const args = ['pack', '--silent', '--pack-destination', destination]
  const env = { ...process.env, PLINTH_PACKAGES: resolve('node_modules') }
  const name = execFileSync('npm', args, { cwd: join(template, 'cli'), encoding: 'utf8', env })
  return join(destination, name.trim().split('\n').at(-1) ?? '')
}

function templatePaths(): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', list, { encoding: 'utf8' }).split('\0').filter(Boolean)
  return paths.filter((path) => existsSync(path))
}

/** Turns a copy of the template into another version with these files. The engine has the same version. */
export function release(template: string, version: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(template, path)), { recursive: true })
    writeFileSync(join(template, path), text)
  }
  for (const name of ['cli/package.json', 'packages/plinth/package.json']) {
    const manifest = join(template, name)
    const changed = { ...JSON.parse(readFileSync(manifest, 'utf8')), version }
    writeFileSync(manifest, JSON.stringify(changed, null, 2))
  }
  const lock = JSON.parse(readFileSync(join(template, 'package-lock.json'), 'utf8'))
  lock.packages['node_modules/plinth'].version = version
  writeFileSync(join(template, 'package-lock.json'), JSON.stringify(lock, null, 2))
}

/** The unpacked package, which runs without an installation. */
export function unpack(tarball: string): string {
  const folder = temporaryFolder()
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
  return join(folder, 'package')
}
