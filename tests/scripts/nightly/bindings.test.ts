import { expect, test } from 'vitest'
import { createProject } from '../support/project'
import { run, serveOnce } from '../support/run'
import { compilerPackage } from '../support/stub-packages'

const platform = `${process.platform}-${process.arch}`
const missingBinary = `The lock file has no ${platform} binary for next. Installing once without the lock file.`

const installsCompilerWithoutLockFile = `import { mkdirSync, writeFileSync } from 'node:fs'
if (process.env.npm_config_package_lock === '') {
  mkdirSync('node_modules/${compilerPackage}', { recursive: true })
  writeFileSync('node_modules/${compilerPackage}/index.js', '')
}
`

test('installs a binary that is missing from the lock file', async () => {
  const project = withoutCompiler({ postinstall: 'node postinstall.mjs' })
  project.write('postinstall.mjs', installsCompilerWithoutLockFile)
  const { output } = await serveOnce(project.folder)
  expect(output).toContain(`${missingBinary}\n`)
  expect(output).toContain('Installing without the lock file: done')
  expect((await serveOnce(project.folder)).output).not.toContain('Installing')
})

test('prints one line if there is no binary for the platform', async () => {
  const project = withoutCompiler({})
  const start = run(project.folder, ['scripts/start.mjs', 'start'])
  expect(await start.exitCode).toBe(1)
  expect(start.output()).toContain(`${missingBinary}\n`)
  expect(start.lines().at(-1)).toBe(`npm found no ${platform} binary for next.`)
})

function withoutCompiler(scripts: Record<string, string>) {
  const project = createProject()
  const dependencies = {
    next: 'file:packages/next',
    '@next/env': 'file:packages/env',
    plinth: 'file:packages/engine',
  }
  project.writePackage({ dependencies, scripts })
  return project
}
