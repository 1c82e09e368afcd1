import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import { transform } from 'esbuild'
import { engineFolder, inRoot, isEjected } from '../paths.mjs'
import { print } from '../terminal.mjs'
import { importRules } from './import-rules.mjs'

/**
 * Checks the imports of all folders of `root` against the rules. dependency-cruiser needs the TypeScript
 * compiler API, which TypeScript 7 does not have; without it it reports nothing. So it checks a copy
 * compiled to JavaScript, with type imports as value imports, and `read` is the number of files. An app
 * may have further rules in `.dependency-cruiser.cjs`.
 *
 * @param {string} root
 * @returns {Promise<{ read: number, violations: { rule: string, from: string, to: string }[] }>}
 */
export async function checkImports(root) {
  const copy = resolve('test-results/imports', root.replaceAll(/[^a-z]+/gi, '-') || 'tree')
  const forbidden = [...importRules, ...ownRules(root)]
  await rm(copy, { recursive: true, force: true })
  try {
    const sources = await sourcesOf(root)
    await copyAsJavaScript(root, sources, copy)
    if (!isEjected) await writeExports(copy)
    await writeManifest(copy)
    const { output } = await cruise(
      await readdir(copy),
      { ...options, baseDir: copy, validate: true, ruleSet: { forbidden, options } },
      {
        alias: {
          '@': join(copy, 'src'),
          '@tests': join(copy, 'tests'),
          plinth: join(copy, 'packages', 'plinth', 'src'),
        },
      },
    )
    const read = new Set(output.modules.map(({ source }) => source))
    return {
      read: sources.filter((path) => read.has(compiledPath(path))).length,
      violations: [
        ...output.summary.violations.map(({ rule, from, to }) => ({
          rule: rule.name,
          from: from.replace(/\.js$/, ''),
          to: to.replace(/\.js$/, ''),
        })),
        ...(await findPrivateImports(root, sources)),
      ],
    }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const options = { doNotFollow: { path: 'node_modules' } }

function ownRules(root) {
  const file = resolve(root, '.dependency-cruiser.cjs')
  return existsSync(file) ? createRequire(file)(file).forbidden : []
}

const onlyExports = 'engine-by-its-exports'

export const rules = [...importRules.map(({ name }) => name), onlyExports]

/** Imports of files that the package does not export: they exist, but an app could not load them. */
async function findPrivateImports(root, sources) {
  const { exports } = await readEngineManifest()
  const found = sources.map(async (path) => {
    const text = await readFile(join(root, path), 'utf8')
    return [...text.matchAll(/\b(?:from |import |import\()'plinth\/([^']+)'/g)]
      .filter(([, name]) => exports[`./${name}`] === undefined)
      .map(([, name]) => ({
        rule: onlyExports,
        from: path.replace(/\.[a-z]+$/, ''),
        to: `plinth/${name}`,
      }))
  })
  return (await Promise.all(found)).flat()
}

/**
 * The TypeScript and JavaScript files of all folders that the project is made of.
 *
 * @param {string} root
 * @returns {Promise<string[]>}
 */
export async function sourcesOf(root) {
  const entries = await readdir(root, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && !notOurs.test(entry.name))
  const found = await Promise.all(folders.map(({ name }) => filesIn(root, name)))
  return found.flat().filter((path) => /\.(tsx?|mjs|cjs)$/.test(path))
}

/** Packages, output, and files that browsers get as they are. */
const notOurs = /^(\..*|node_modules|dist|public|test-results)$/

/** Programs of other frameworks have packages of their own, and fixtures break the rules. */
const apart = /\/(node_modules|fixtures|peers)$/

async function filesIn(root, folder) {
  if (apart.test(folder)) return []
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return filesIn(root, path)
      return entry.isFile() ? [path] : []
    }),
  )
  return found.flat()
}

/**
 * The TypeScript of the engine and of the app, with the tests of its modules.
 *
 * @returns {Promise<string[]>}
 */
export async function codeOf(root) {
  const sources = await sourcesOf(root)
  return sources.filter((path) => /^(src|packages\/plinth\/src)\/.*\.tsx?$/.test(path))
}

async function copyAsJavaScript(root, sources, copy) {
  for (const path of sources) {
    const source = await readFile(join(root, path), 'utf8')
    const target = join(copy, compiledPath(path))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, await compiled(path, source))
  }
}

/** Declares the engine's own dependencies. The root package has others, and some of these for its tests. */
async function writeManifest(copy) {
  const { dependencies, peerDependencies } = await readEngineManifest()
  const manifest = { name: 'engine', dependencies: { ...dependencies, ...peerDependencies } }
  const folder = join(copy, 'packages', 'plinth')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
}

/** Stands for each file of an engine whose sources are not here, so that an import of it has a path. */
async function writeExports(copy) {
  const { exports } = await readEngineManifest()
  for (const name of Object.keys(exports)) {
    const file = join(copy, 'packages', 'plinth', 'src', `${name}.js`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, '')
  }
}

async function readEngineManifest() {
  return JSON.parse(await readFile(inRoot(engineFolder, 'package.json'), 'utf8'))
}

async function compiled(path, source) {
  if (!/\.tsx?$/.test(path)) return source
  const { code } = await transform(withValueImports(withPackageName(source)), {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return code
}

function compiledPath(path) {
  return path.replace(/\.tsx?$/, '.js')
}

/** The engine imports itself by `#`, which is the package `plinth` for others. */
function withPackageName(source) {
  return source.replace(/\b(from |import |import\()(['"])#/g, '$1$2plinth/')
}

/** Type imports are erased by the transform, so they become value imports first. */
function withValueImports(source) {
  return source.replace(/^(import|export) [^'"]*?from ['"][^'"]+['"]$/gm, (statement) =>
    statement.replace(/\btype (?=[\w{*])/g, ''),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { read, violations } = await checkImports('.')
  for (const { rule, from, to } of violations) print(`${rule}: ${from} imports ${to}`)
  const { length } = await sourcesOf('.')
  print(`${read} of ${length} files checked`)
  process.exitCode = violations.length === 0 && read === length ? 0 : 1
}
