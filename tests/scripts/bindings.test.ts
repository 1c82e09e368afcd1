import { expect, test } from 'vitest'
import { createProject } from './support/project'
import { run, serveOnce } from './support/run'
import { compilerPackage } from './support/stand-ins'

const platform = `${process.platform}-${process.arch}`
const told = `The lock file has no ${platform} binary for next: installing without it, once.`

const bringsCompilerWithoutLockFile = `import { mkdirSync, writeFileSync } from 'node:fs'
if (process.env.npm_config_package_lock === '') {
  mkdirSync('node_modules/${compilerPackage}', { recursive: true })
  writeFileSync('node_modules/${compilerPackage}/index.js', '')
}
`

test('a binary that the lock file left out is installed without it', async () => {
  const project = withoutCompiler({ postinstall: 'node postinstall.mjs' })
  project.write('postinstall.mjs', bringsCompilerWithoutLockFile)
  const { output } = await serveOnce(project.folder)
  expect(output).toContain(`${told}\n`)
  expect(output).toContain('Installing without the lock file: done')
  expect((await serveOnce(project.folder)).output).not.toContain('Installing')
})

test('a binary that does not exist for this platform is one line', async () => {
  const project = withoutCompiler({})
  const start = run(project.folder, ['scripts/start.mjs'])
  expect(await start.exitCode).toBe(1)
  expect(start.output()).toContain(`${told}\n`)
  expect(start.lines().at(-1)).toBe(`npm installed no binary that runs on ${platform} for next.`)
})

function withoutCompiler(scripts: Record<string, string>) {
  const project = createProject()
  const dependencies = {
    next: 'file:packages/next',
    '@next/env': 'file:packages/env',
    esbuild: 'file:packages/esbuild',
  }
  project.writePackage({ dependencies, scripts })
  return project
}
