import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { runOrFail } from '../programs.mjs'
import { engineFolder } from '../template/excluded.mjs'
import { cliRoot, isPacked, templateRoot } from '../template/location.mjs'
import { readTemplate } from '../template/read-template.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { jsonOf, readTree, subtree, writeTree } from '../tree.mjs'
import { packTree } from './tar.mjs'

/** In the published package, beside the template. */
export const packedEngines = join(cliRoot, 'engine')

/**
 * The engine as the package that an app without its sources depends on. It is compiled once for each
 * version of the sources; the published package of this CLI contains it.
 *
 * @returns {Promise<{ path: string, content: Buffer }>} the path is the one in an app
 */
export async function engineTarball() {
  if (isPacked) {
    const [name] = await readdir(packedEngines)
    return { path: `vendor/${name}`, content: await readFile(join(packedEngines, name)) }
  }
  const template = await readTemplate()
  const { version } = jsonOf(template, `${engineFolder}/package.json`)
  return { path: `vendor/plinth-${version}.tgz`, content: await compiledOnce(sourcesIn(template)) }
}

/** The engine without its tests, and what its compilation reads. */
function sourcesIn(template) {
  const engine = [...subtree(template, engineFolder)].filter(
    ([path]) => !path.startsWith(`${engineFolder}/tests/`),
  )
  const shared = ['package.json', 'package-lock.json', 'tsconfig.json']
  return new Map([...engine, ...shared.map((path) => [path, template.get(path)])])
}

async function compiledOnce(sources) {
  const packages = findPackages(sources)
  if (!packages) return compile(sources)
  const cache = join(packages, '.cache', 'plinth', 'engines')
  const file = join(cache, `${digestOf(sources)}.tgz`)
  if (existsSync(file)) return readFile(file)
  const content = await compile(sources, packages)
  await mkdir(cache, { recursive: true })
  await writeFile(`${file}.${process.pid}`, content)
  await rename(`${file}.${process.pid}`, file)
  return content
}

function digestOf(sources) {
  const hash = createHash('sha256')
  for (const [path, content] of sources) hash.update(`${path}\n`).update(content)
  return hash.digest('hex').slice(0, 16)
}

/**
 * A node_modules folder with exactly the packages that the engine is compiled with: of the repository,
 * or of the app that is upgraded. Declarations contain types of these packages.
 */
function findPackages(sources) {
  const lock = jsonOf(sources, 'package-lock.json').packages
  const { dependencies } = jsonOf(sources, `${engineFolder}/package.json`)
  const needed = ['typescript', ...Object.keys(dependencies)]
  const candidates = (process.env.PLINTH_PACKAGES ?? '').split(delimiter).filter(Boolean)
  return [join(templateRoot, 'node_modules'), ...candidates].find((folder) =>
    needed.every((name) => versionIn(folder, name) === lock[`node_modules/${name}`]?.version),
  )
}

function versionIn(folder, name) {
  const file = join(folder, '.package-lock.json')
  if (!existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8')).packages[`node_modules/${name}`]?.version
}

function compile(sources, packages) {
  return withTemporaryFolder(async (folder) => {
    await writeTree(folder, sources)
    if (packages) await symlink(packages, join(folder, 'node_modules'), 'junction')
    else await installPackages(folder)
    const tsc = join(folder, 'node_modules', 'typescript', 'bin', 'tsc')
    const args = [tsc, '-p', `${engineFolder}/tsconfig.build.json`, '--noCheck']
    await runOrFail(process.execPath, args, { cwd: folder }).catch((error) => {
      throw new CommandError('Cannot compile the engine.', error.details)
    })
    const { files } = jsonOf(sources, `${engineFolder}/package.json`)
    const isPublished = (path) =>
      /^(package\.json|README\.md|api\.md)$/.test(path) || isIn(files, path)
    return packTree(await readTree(join(folder, engineFolder), isPublished))
  })
}

function isIn(folders, path) {
  return folders.some((name) => path.startsWith(`${name}/`))
}

async function installPackages(folder) {
  const flags = ['--install-links', '--ignore-scripts', '--no-audit', '--no-fund']
  await runOrFail('npm', ['install', ...flags], { cwd: folder }).catch((error) => {
    throw new CommandError('Cannot install the packages that compile the engine.', error.details)
  })
}
