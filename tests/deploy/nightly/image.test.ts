import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'plinth/testing'
import { freePort } from 'plinth/testing/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram, installPackage } from '../../../packages/plinth/scripts/services/programs.mjs'
import { provideBaseImage } from '../image/base-image'
import { buildImage, type Image } from '../image/running-image'

const minutes = 60_000

/** TEST_POSTGRES_BIN makes the runner start PostgreSQL, and '.next/BUILD_ID' build the project. */
const postgres = process.env.TEST_DATABASE_URL ?? ''

let image: Image

beforeAll(async () => {
  for (const name of ['buildah', 'debootstrap']) {
    if (!findProgram(name, ['/usr/sbin'])) await installPackage(name)
  }
  provideBaseImage()
  const args = { VERSION: '1.2.3', REVISION: 'abc' }
  image = buildImage(
    ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
  )
}, 30 * minutes)

afterAll(() => image.remove())

/** Runs a program in the image, as a container with a read-only file system would. */
const inImage = (program: string[], settings: Record<string, string> = {}) =>
  spawnSync(image.program, program, { encoding: 'utf8', env: { ...process.env, ...settings } })

describe('the image', () => {
  test('runs as a user that is not root, and has labels and the same name as a build elsewhere', () => {
    const built = readFileSync(join(image.root, 'app/.next/BUILD_ID'), 'utf8')
    expect(built).toBe(readFileSync('.next/BUILD_ID', 'utf8'))
    expect(image.config.User).toBe('1000:1000')
    expect(inImage(['id', '-u']).stdout.trim()).toBe('1000')
    expect(image.config.Labels).toMatchObject({
      'org.opencontainers.image.version': '1.2.3',
      'org.opencontainers.image.revision': 'abc',
    })
  })

  test('has no development dependencies, sources, compilers or secrets', () => {
    const inside = (path: string) => existsSync(join(image.root, path))
    expect(
      ['node_modules/plinth/dist/main.js', '.next/BUILD_ID', 'node_modules/next'].map((path) =>
        inside(`app/${path}`),
      ),
    ).toEqual([true, true, true])
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const development = Object.keys(packages).filter((path) => packages[path].dev)
    expect(development).toContain('node_modules/vitest')
    const absent = [
      ...development,
      'node_modules/@next/swc-linux-arm64-gnu',
      'node_modules/@next/swc-linux-x64-gnu',
      'node_modules/sharp',
      'src/instrumentation.ts',
      'tests',
      '.env',
      '.git',
      '.data',
      '.next/cache',
    ]
    expect(absent.filter((path) => inside(`app/${path}`))).toEqual([])
  })

  test('can write to its data and temporary folders only', () => {
    const write = (path: string) => inImage(['sh', '-c', `echo x > ${path}`]).status
    expect(write('/data/x')).toBe(0)
    expect(write('/tmp/x')).toBe(0)
    expect(inImage(['touch', '/app/x']).stderr).toContain('Read-only file system')
    expect(inImage(['touch', '/etc/x']).stderr).toContain('Read-only file system')
  })

  test(
    'refuses the embedded database while its demo password stands',
    () => {
      const refused = inImage(image.config.Cmd, { DATABASE_URL: '', AUTH_SECRET: '' })
      expect(refused.status).toBe(1)
      expect(refused.stderr).toContain('HOST is 0.0.0.0, but the published password')
    },
    minutes,
  )
})

describe('a container on PostgreSQL', () => {
  const database = `plinth_image_${process.pid}`
  const url = new URL(postgres || 'postgres://unset')
  url.pathname = `/${database}`
  const settings = { DATABASE_URL: url.href, AUTH_SECRET: 'only-for-tests-'.repeat(3) }
  const query = (statement: string) =>
    execFileSync(join(process.env.TEST_POSTGRES_BIN ?? '', 'psql'), [postgres, '-c', statement])

  beforeAll(() => void query(`create database ${database}`))
  afterAll(() => void query(`drop database if exists ${database} with (force)`))

  test(
    'the job migrates, then the server starts, is healthy, and ends on SIGTERM as process 1',
    async () => {
      const PORT = String(await freePort())
      const manual = { ...settings, PORT, HOST: '127.0.0.1', MIGRATE: 'manual', LOG_LEVEL: 'info' }
      const healthcheck = () => inImage(image.config.Healthcheck.Test.slice(1), { PORT }).status

      expect(inImage(image.config.Cmd, manual).stderr).toContain('pending')
      expect(
        inImage(
          [
            'sh',
            '-c',
            'node node_modules/plinth doctor --rolling && node node_modules/plinth migrate',
          ],
          settings,
        ),
      ).toMatchObject({ status: 0 })
      expect(healthcheck()).toBe(1)

      const container = run(
        'unshare',
        ['--mount', '--pid', '--fork', '--kill-child', image.program, ...image.config.Cmd],
        manual,
      )
      await container.waitFor(/ready at /)
      expect(healthcheck()).toBe(0)
      expect((await fetch(`http://127.0.0.1:${PORT}/sign-in`)).status).toBe(200)
      // Its parent is in the outer namespace, and a signal reaches process 1 only if it has a handler.
      const children = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8')
      process.kill(Number(children.trim()), 'SIGTERM')
      expect(await container.exited).toBe(0)
      expect(container.output()).toContain('shutting down')
      expect(healthcheck()).toBe(1)
    },
    3 * minutes,
  )

  test(
    'passes the tests of the contract and of the host',
    () => {
      expect(existsSync('.next/plinth/actions.json')).toBe(true)
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [
          'node_modules/vitest/vitest.mjs',
          'run',
          '--config',
          'tests/deploy/image/vitest.config.ts',
        ],
        {
          encoding: 'utf8',
          maxBuffer: 64 * 1024 * 1024,
          env: {
            ...process.env,
            TEST_SERVER_COMMAND: JSON.stringify([image.program, ...image.config.Cmd]),
          },
        },
      )
      expect(status, `${stderr.slice(-8000)}\n${stdout.slice(-1000)}`).toBe(0)
      expect(stdout).toMatch(/Tests .*passed/)
    },
    30 * minutes,
  )
})
