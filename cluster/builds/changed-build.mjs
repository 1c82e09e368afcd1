import { cp, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { inRoot } from '../../packages/plinth/scripts/paths.mjs'
import { runLogged } from '../../packages/plinth/scripts/processes.mjs'
import { CommandError } from '../../packages/plinth/scripts/terminal.mjs'

const folder = inRoot('test-results', 'cluster', 'changed')
const sources = [
  'src',
  'packages',
  'public',
  'scripts',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

/** A build of a copy of the sources with a changed page and client component, kept between runs. */
export async function changedBuild() {
  await copySources()
  // The copy is then a repository of its own for Next, whose files keep their paths.
  await mkdir(join(folder, '.git'), { recursive: true })
  if (!(await exists(join(folder, 'node_modules')))) await linkPackages()
  const build = "import('./packages/plinth/scripts/build/build.mjs').then(({ build }) => build())"
  const { code, lines } = await runLogged(process.execPath, ['-e', build], {
    cwd: folder,
    log: inRoot('test-results', 'cluster', 'build.log'),
  })
  if (code !== 0) throw new CommandError('The second build failed.', lines.slice(-30))
  return folder
}

async function copySources() {
  await mkdir(folder, { recursive: true })
  for (const name of sources) {
    await rm(join(folder, name), { recursive: true, force: true })
    await cp(inRoot(name), join(folder, name), {
      recursive: true,
      preserveTimestamps: true,
      // Without `tests` the tests of modules do not compile, and Playwright would run them twice.
      filter: (source) => basename(source) !== 'tests',
    })
  }
  await change('src/app/layout.tsx', (text) => text.replace('<body', '<body data-build="second"'))
  await change('src/ui/forms/form.tsx', (text) => `${text}\nReflect.set(globalThis, 'build', 2)\n`)
}

async function change(name, edit) {
  const text = await readFile(join(folder, name), 'utf8')
  const edited = edit(text)
  if (edited === text) throw new CommandError(`${name} could not be changed for the second build.`)
  await writeFile(join(folder, name), edited)
}

/** Turbopack refuses a link to packages outside the folder, and a copy takes a gigabyte. */
async function linkPackages() {
  const target = join(folder, 'node_modules.part')
  await rm(target, { recursive: true, force: true })
  await linkFolder(inRoot('node_modules'), target)
  await rename(target, join(folder, 'node_modules'))
}

async function linkFolder(from, to) {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory() && entry.name !== '.cache') await linkFolder(source, target)
    else if (entry.isSymbolicLink()) await cp(source, target, { verbatimSymlinks: true })
    else if (entry.isFile()) await link(source, target)
  }
}

function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
