import { createHash } from 'node:crypto'
import { readFileSync, rmSync, utimesSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createInstalledProject } from '../support/installed-project'
import { createProject } from '../support/project'
import { run, serveOnce } from '../support/run'

test('start installs, builds and serves; later starts repeat only what changed', async () => {
  const project = createProject()

  const first = await serveOnce(project.folder)
  expect(first.output).toMatch(/Installing dependencies: done in .*\n/)
  expect(first.output).toMatch(/Building: done in .*\n/)
  expect(first.output).toContain('serving 0 modules')
  expect(first.exitCode).toBe(0)

  const second = await serveOnce(project.folder)
  expect(second.output).toBe('serving 0 modules\n')

  project.write('src/extra.ts', 'export {}\n')
  const afterEdit = await serveOnce(project.folder)
  expect(afterEdit.output).toContain('Building: done')
  expect(afterEdit.output).not.toContain('Installing')

  utimesSync(project.path('src/extra.ts'), new Date(), new Date())
  expect((await serveOnce(project.folder)).output).toBe('serving 0 modules\n')

  project.write('src/app/(notes)/tests/notes.test.ts', 'export {}\n')
  project.write('src/app/(notes)/README.md', '# Notes\n')
  expect((await serveOnce(project.folder)).output).toBe('serving 0 modules\n')

  rmSync(project.path('src/extra.ts'))
  expect((await serveOnce(project.folder)).output).toContain('Building: done')

  project.writePackage({ version: '1.0.1' })
  expect((await serveOnce(project.folder)).output).toContain('Installing dependencies: done')
})

test('rebuilds pages that were deleted or built by another command', async () => {
  const project = await createInstalledProject()
  rmSync(project.path('.next'), { recursive: true })
  expect((await serveOnce(project.folder)).output).toContain('Building: done')
  project.write('.next/BUILD_ID', 'another')
  expect((await serveOnce(project.folder)).output).toContain('Building: done')
})

test('builds a module whose folder was added', async () => {
  const project = await createInstalledProject()
  project.write('src/app/(blog)/module.ts', "export const module = { id: 'blog' }\n")
  const { output } = await serveOnce(project.folder)
  expect(output).toContain('Updated src/modules.ts: the module folders changed.')
  expect(output).toContain('serving 1 modules')
})

test('the build writes the hashes of inline scripts', async () => {
  const project = await createInstalledProject()
  const hashes = JSON.parse(readFileSync(project.path('.next/plinth/prerendered.json'), 'utf8'))
  const hash = createHash('sha256').update('one()').digest('base64')
  expect(hashes).toEqual({ '/': [`sha256-${hash}`] })
})

test('installs the development dependencies whatever NODE_ENV is', async () => {
  const project = await createInstalledProject()
  project.write('packages/tool/package.json', JSON.stringify({ name: 'tool', version: '1.0.0' }))
  project.writePackage({ devDependencies: { tool: 'file:packages/tool' } })
  await serveOnce(project.folder, { env: { NODE_ENV: 'production' } })
  expect(readFileSync(project.path('node_modules/tool/package.json'), 'utf8')).toContain('tool')
})

test('the name of a build depends on the packages of the lock file, not on URLs or workspaces', async () => {
  const project = createProject()
  const contents = async (entry: Record<string, string>, others = {}) => {
    const packages = { 'node_modules/next': entry, ...others }
    project.write('package-lock.json', JSON.stringify({ packages }))
    const program = `const { fingerprintOf } = await import('./packages/plinth/scripts/build/fingerprint.mjs')
      process.stdout.write(await (await fingerprintOf(['package-lock.json'])).contents())`
    const command = run(project.folder, ['--input-type=module', '--eval', program])
    expect(await command.exitCode).toBe(0)
    return command.output()
  }
  const entry = { version: '1.0.0', integrity: 'sha512-x' }
  const resolved = 'https://registry.example.com/next-1.0.0.tgz'
  const name = await contents(entry)
  expect(await contents({ ...entry, resolved })).toBe(name)
  expect(await contents(entry, { cli: { name: 'create', version: '1.0.0' } })).toBe(name)
  expect(await contents({ ...entry, integrity: 'sha512-y' })).not.toBe(name)
})
