import { lockFor } from '../package/lock-file.mjs'
import { serialise, withoutPackagesOf } from '../package/manifest.mjs'
import { jsonOf, readTree, textOf } from '../tree.mjs'
import { requireKnown } from './choices.mjs'
import { withDots } from './dots.mjs'
import { modulesFile, providersFile } from './generated.mjs'
import { overlayRoot } from './location.mjs'
import { moduleOf, modulesIn } from './modules.mjs'
import { withName } from './name.mjs'
import { needsProvider, providerOf, providersIn } from './providers.mjs'
import { readTemplate } from './read-template.mjs'
import { withoutProviders } from './settings-example.mjs'

/**
 * The tree of an app, from what was chosen for it and nothing else: the same choices give the same
 * bytes on every machine, which is what lets `upgrade` know what the app began with.
 *
 * @param {{ name: string, modules: string[], providers: string[] }} choices
 */
export async function render(choices) {
  const template = await readTemplate()
  const modules = requireKnown('module', choices.modules, modulesIn(template).map(idOf))
  const providers = requireKnown('provider', choices.providers, providersIn(template))
  const tree = new Map(
    [...template].filter(([path]) => belongs(path, { template, modules, providers })),
  )
  const write = (path, text) => tree.set(path, Buffer.from(text))

  const absent = providersIn(template).filter((id) => !providers.includes(id))
  write('.env.example', withoutProviders(textOf(template, '.env.example'), absent))
  write('src/core/name.ts', withName(textOf(template, 'src/core/name.ts'), choices.name))
  write('src/modules.ts', await modulesFile(modules))
  write(...(await providersFile(providers)))
  const manifest = manifestFor(template, choices.name, modules, providers)
  write('package.json', serialise(manifest))
  write('package-lock.json', serialise(lockFor(manifest, jsonOf(template, 'package-lock.json'))))
  for (const [path, content] of await readTree(overlayRoot)) tree.set(withDots(path), content)
  write(
    'README.md',
    textOf(tree, 'README.md').replaceAll('{{name}}', () => choices.name),
  )
  return new Map([...tree].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function belongs(path, { template, modules, providers }) {
  const module = moduleOf(path)
  const isModule = modulesIn(template).some(({ id }) => id === module)
  if (isModule && !modules.includes(module)) return false
  if (providers.length === 0 && needsProvider(path)) return false
  const provider = providerOf(path)
  return provider === undefined || providers.includes(provider)
}

function manifestFor(template, name, modules, providers) {
  const { description, license, workspaces, scripts, ...rest } = jsonOf(template, 'package.json')
  const { bench, create, ...kept } = scripts
  const all = { ...rest, name: packageName(name), version: '0.1.0', scripts: kept }
  const gone = modulesIn(template).filter(({ id }) => !modules.includes(id))
  const needed = new Set(
    modulesIn(template)
      .filter(({ id }) => modules.includes(id))
      .flatMap((module) => [module.dependencies, module.devDependencies].flatMap(Object.keys)),
  )
  const left = gone.reduce(
    (manifest, module) => withoutPackagesOf(manifest, module, (name) => needed.has(name)),
    all,
  )
  return providers.length > 0 ? left : withoutPackagesOf(left, forProviders, () => false)
}

/** What only the tests of providers use. */
const forProviders = {
  dependencies: {},
  devDependencies: { 'oidc-provider': '', '@types/oidc-provider': '' },
}

function packageName(name) {
  const plain = name.normalize('NFKD').toLowerCase()
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'app'
}

function idOf({ id }) {
  return id
}
