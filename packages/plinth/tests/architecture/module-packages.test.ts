import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modules } from '@/modules'
import { packagesIn, sources } from '../support/packages'

type Packages = Record<string, string>
type Package = {
  description: string
  dependencies: Packages
  devDependencies: Packages
  plinth: {
    id: string
    requires?: string[]
    protects?: string
    settings?: Record<string, string>
  }
}

const packageIn = (folder: string): Package => ({
  dependencies: {},
  devDependencies: {},
  ...JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')),
})

const installed = modules.map(({ id }) => {
  const folder = `src/app/(${id})`
  const files = sources().filter((path) => path.startsWith(`${folder}/`))
  return { id, files, package: packageIn(folder) }
})

const core = packagesIn(
  sources().filter((path) => !installed.some(({ files }) => files.includes(path))),
)

test('finds the packages that core imports', () => {
  expect(core).toEqual(expect.arrayContaining(['next', 'hono', 'tailwindcss', 'vitest']))
})

test('each module has a package.json with its id, description and requirements', () => {
  const ids = installed.map(({ id }) => id)
  for (const { id, package: own } of installed) {
    const { requires = [], protects: _, settings = {}, ...rest } = own.plinth
    expect(rest).toEqual({ id })
    expect(own.description, id).toMatch(/^[A-Z].*\.$/)
    expect(ids, id).toEqual(expect.arrayContaining(requires))
    for (const [name, purpose] of Object.entries(settings)) {
      expect(name, id).toMatch(/^[A-Z][A-Z0-9_]*$/)
      expect(purpose, name).toMatch(/\.$/)
    }
  }
})

test('each module that protects users says so, and has the view that keeps it from being lost', () => {
  for (const { id, package: own } of installed) {
    const folder = `src/app/(${id})/migrations`
    const files = existsSync(folder) ? readdirSync(folder) : []
    const sql = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n')
    const view = `create view ${id.replaceAll('-', '_')}_protected_users as`
    expect(sql.includes(view), id).toBe(own.plinth.protects !== undefined)
    if (own.plinth.protects !== undefined) expect(own.plinth.protects).toMatch(/^[\w ,-]{1,60}$/)
  }
})

test('each module declares exactly the packages that it imports and core does not', () => {
  for (const { id, files, package: own } of installed) {
    const inTests = (path: string) => path.includes(`(${id})/tests/`)
    const product = exclude(core, packagesIn(files.filter((path) => !inTests(path))))
    const tests = exclude([...core, ...product], packagesIn(files.filter(inTests)))
    expect(packageNames(own.dependencies), id).toEqual(product)
    expect(exclude(product, packageNames(own.devDependencies)), id).toEqual(tests)
  }
})

function exclude(excluded: string[], names: string[]): string[] {
  return names.filter((name) => !excluded.includes(name))
}

/** `@types/name` belongs to `name`. */
function packageNames(packages: Packages): string[] {
  return [...new Set(Object.keys(packages).map((name) => name.replace('@types/', '')))].sort()
}

test('the root package has the dependencies of each module in the same version', () => {
  const root = packageIn('.')
  for (const { id, package: own } of installed) {
    expect(root.dependencies, id).toMatchObject(own.dependencies)
    expect(root.devDependencies, id).toMatchObject(own.devDependencies)
  }
})
