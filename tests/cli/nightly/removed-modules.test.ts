import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changes } from 'plinth/auth/accounts/change-proofs'
import { run as start } from 'plinth/testing'
import { beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../../packages/plinth/scripts/services/programs.mjs'
import { linkPackages } from '../support/link-packages'
import { run } from '../support/run'
import { packedTemplate, temporaryFolder, unpack } from '../support/template'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 400_000 })

const modules = ['account', 'admin', 'content', 'landing', 'security']
const accept = ['--accept-removed-protection', 'security']
let app: string

beforeAll(async () => {
  const cli = unpack(packedTemplate())
  const folder = temporaryFolder()
  app = join(folder, 'app')
  expect(run(process.execPath, [`${cli}/bin/create-plinth.mjs`, 'app', '--yes'], folder).code).toBe(
    0,
  )
  expect(
    run(process.execPath, [`${cli}/bin/plinth.mjs`, 'remove', ...modules, ...accept], app).code,
  ).toBe(0)
  await linkPackages(app)
  expect(run(process.execPath, ['scripts/start.mjs', 'build'], app)).toMatchObject({ code: 0 })
})

/** The declared names of a module's actions, routes and pages. */
function declaredNames(module: string): string[] {
  const folder = `src/app/(${module})`
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !path.startsWith('tests/'),
  )
  const texts = files.map((path) => readFileSync(join(folder, path), 'utf8'))
  return texts.flatMap((text) =>
    [...text.matchAll(/\bname: '([a-z]+_[a-z_]+)'/g)].map(([, name]) => name ?? ''),
  )
}

function bundles(folder: string): string {
  const built = ['.next/server', '.next/static', '.next/plinth'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(js|json|html|rsc|css)$/.test(path))
      .map((path) => readFileSync(join(folder, part, path), 'utf8')),
  )
  return built.join('\n')
}

type Manifest = { node: Record<string, unknown> }

function actionIds(folder: string): string[] {
  const file = join(folder, '.next/server/server-reference-manifest.json')
  return Object.keys((JSON.parse(readFileSync(file, 'utf8')) as Manifest).node)
}

/** The names that core has too: of its audit events, and of the changes that need a proof. */
const coreNames = () =>
  readdirSync('packages/plinth/src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [
      ...readFileSync(join('packages/plinth/src', path), 'utf8').matchAll(/\baction: '([a-z_]+)'/g),
    ])
    .map(([, name]) => name)
    .concat(changes, eventsOfCommands)

/** `npm run recovery` writes the same events as the actions of an admin. */
const eventsOfCommands = ['open_user_recovery', 'allow_recovery', 'reject_recovery']

test('no bundle contains the names of a removed module', () => {
  const shared = coreNames()
  const names = modules.flatMap(declaredNames).filter((name) => !shared.includes(name))
  expect(names.length).toBeGreaterThan(15)
  const [before, after] = [bundles('.'), bundles(app)]
  expect(names.filter((name) => !before.includes(name))).toEqual([])
  expect(
    names.filter((name) => after.includes(`'${name}'`) || after.includes(`"${name}"`)),
  ).toEqual([])
})

test('no bundle contains the action ids of a removed module', () => {
  const removed = actionIds('.').filter((id) => !actionIds(app).includes(id))
  expect(removed.length).toBeGreaterThan(10)
  const after = bundles(app)
  expect(removed.filter((id) => after.includes(id))).toEqual([])
})

test('paths of removed modules return 404, core paths return 200', async () => {
  const port = String(await freePort())
  const server = start('sh', ['-c', `cd '${app}' && exec node node_modules/plinth start`], {
    NODE_ENV: 'production',
    PORT: port,
    HOST: '127.0.0.1',
    DATABASE_URL: '',
    DATA_DIR: temporaryFolder(),
    LOG_LEVEL: 'info',
  })
  await server.waitFor(/ready at /)
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  const paths = ['/account', '/admin', '/admin/users', '/articles', '/api/demo/landing']
  paths.push('/api/demo/admin/users', '/api/account/data.json', '/api/admin/audit.csv')
  paths.push('/account/security', '/sign-in/verify', '/security/users/1')
  for (const path of paths) expect([path, await status(path)]).toEqual([path, 404])
  for (const path of ['/', '/sign-in', '/api/health', '/api/openapi.json']) {
    expect([path, await status(path)]).toEqual([path, 200])
  }
  server.child.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})
