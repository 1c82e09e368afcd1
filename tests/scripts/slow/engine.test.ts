import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProject, repository } from '../support/project'

/** A project with an engine of two files, and the real compiler. */
function projectWithEngine() {
  const project = createProject()
  const write = (name: string, text: string) => project.write(`packages/plinth/${name}`, text)
  write(
    'package.json',
    '{ "name": "plinth", "type": "module", "imports": { "#*": "./dist/*.js" } }',
  )
  const compilerOptions = { ...compiler, rootDir: 'src', outDir: 'dist' }
  write('tsconfig.build.json', JSON.stringify({ compilerOptions, include: ['src'] }))
  write('src/one.ts', `import { two } from '#two'\nexport const one: number = two - 1\n`)
  write('src/two.ts', 'export const two = 2\n')
  write('migrations/0001_initial.sql', 'select 1;\n')
  mkdirSync(project.path('node_modules'))
  symlinkSync(join(repository, 'node_modules/typescript'), project.path('node_modules/typescript'))
  return { ...project, write, inCopy: (name: string) => project.path('node_modules/plinth', name) }
}

const compiler = { module: 'nodenext', target: 'es2023', declaration: true, types: [] }

function compile(folder: string): void {
  const program = `import('./packages/plinth/scripts/build/engine.mjs').then((engine) => engine.compileEngine())`
  execFileSync(process.execPath, ['-e', program], { cwd: folder, stdio: 'pipe' })
}

test('compiles the engine to a folder of its own, and again only what has changed', async () => {
  const { folder, write, inCopy, path } = projectWithEngine()
  compile(folder)
  expect(await import(inCopy('dist/one.js'))).toMatchObject({ one: 1 })
  for (const file of ['dist/one.d.ts', 'migrations/0001_initial.sql', 'src/one.ts']) {
    expect([file, existsSync(inCopy(file))]).toEqual([file, true])
  }
  const changedAt = () => ['dist/one.js', 'dist/two.js'].map((file) => statSync(inCopy(file)).ino)
  const [one, two] = changedAt()
  compile(folder)
  expect(changedAt()).toEqual([one, two])

  write('src/two.ts', 'export const two = 22\n')
  rmSync(path('packages/plinth/migrations/0001_initial.sql'))
  compile(folder)
  expect(readFileSync(inCopy('dist/two.js'), 'utf8')).toContain('22')
  expect(changedAt()[0]).toBe(one)
  expect(existsSync(inCopy('migrations/0001_initial.sql'))).toBe(false)
})

test('replaces a link, which Next would bundle', () => {
  const { folder, inCopy, path } = projectWithEngine()
  compile(folder)
  rmSync(inCopy('.'), { recursive: true })
  symlinkSync('../packages/plinth', path('node_modules/plinth'))
  compile(folder)
  expect(lstatSync(path('node_modules/plinth')).isDirectory()).toBe(true)
  expect(existsSync(inCopy('dist/one.js'))).toBe(true)
  expect(existsSync(path('packages/plinth/src/one.ts'))).toBe(true)
})

test('a folder that was deleted is compiled again', () => {
  const { folder, inCopy } = projectWithEngine()
  compile(folder)
  unlinkSync(inCopy('compiled.json'))
  rmSync(inCopy('dist'), { recursive: true })
  compile(folder)
  expect(existsSync(inCopy('dist/one.js'))).toBe(true)
})

test('an error of the syntax stops it, and says where it is', () => {
  const { folder, write } = projectWithEngine()
  write('src/two.ts', 'export const two = \n')
  expect(() => compile(folder)).toThrow(/two\.ts/)
})

describe('the entry of the lock file', () => {
  const manifest = (dependencies: object) =>
    JSON.stringify({ name: 'plinth', version: '1.0.0', dependencies })
  const lockWith = (entry: object) =>
    JSON.stringify({ packages: { '': {}, 'node_modules/plinth': entry, 'node_modules/tool': {} } })

  /** The names in the lock file after it, and whether the installed engine is still there. */
  function forgetChanged(locked: object, dependencies: object) {
    const project = createProject()
    project.write('packages/plinth/package.json', manifest(dependencies))
    project.write('package-lock.json', lockWith({ version: '1.0.0', dependencies: locked }))
    project.write('node_modules/plinth/package.json', manifest(locked))
    const program = `import('./packages/plinth/scripts/setup/install.mjs').then((setup) => setup.forgetChangedEngine())`
    execFileSync(process.execPath, ['-e', program], { cwd: project.folder, stdio: 'pipe' })
    const { packages } = JSON.parse(readFileSync(project.path('package-lock.json'), 'utf8'))
    return { names: Object.keys(packages), kept: existsSync(project.path('node_modules/plinth')) }
  }

  test('stays while the engine needs the same packages', () => {
    expect(forgetChanged({ tool: '1.0.0' }, { tool: '1.0.0' })).toEqual({
      names: ['', 'node_modules/plinth', 'node_modules/tool'],
      kept: true,
    })
  })

  test('goes when the engine needs others, so that npm reads them', () => {
    expect(forgetChanged({}, { tool: '1.0.0' })).toEqual({
      names: ['', 'node_modules/tool'],
      kept: false,
    })
  })
})
