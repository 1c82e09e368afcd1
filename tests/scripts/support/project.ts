import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { compilerPackage, stubPackages } from './stub-packages'

export const repository = fileURLToPath(new URL('../../..', import.meta.url))

export function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plinth-scripts-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A minimal project: the real scripts with a few lines of source. Packages that are slow or need the
 * network are stubs in the project's folder; npm is real.
 */
export function createProject(folder = temporaryFolder()) {
  const project = openProject(folder)
  for (const scripts of ['scripts', 'packages/plinth/scripts']) {
    cpSync(join(repository, scripts), project.path(scripts), { recursive: true })
  }
  for (const [name, text] of Object.entries({ ...sources, ...stubPackages(repository) })) {
    project.write(name, text)
  }
  project.writePackage()
  return project
}

export function openProject(folder: string) {
  const path = (...parts: string[]) => join(folder, ...parts)
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }
  const writePackage = (changes = {}) =>
    write('package.json', JSON.stringify({ ...manifest, ...changes }))

  return { folder, path, write, writePackage }
}

export type Project = ReturnType<typeof openProject>

const manifest = {
  name: 'project',
  private: true,
  type: 'module',
  dependencies: {
    next: 'file:packages/next',
    [compilerPackage]: 'file:packages/compiler',
    '@next/env': 'file:packages/env',
    plinth: 'file:packages/engine',
    vitest: 'file:packages/vitest',
  },
}

const sources = {
  'tsconfig.json': JSON.stringify({ compilerOptions: { paths: { '@/*': ['./src/*'] } } }),
  'src/app/(auth)/page.tsx': `import { publicPage } from 'plinth/guard/page'

export default publicPage({ path: '/' }, () => null)
`,
}
