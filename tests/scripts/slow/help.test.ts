import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/project'
import { run } from '../support/run'

const scripts: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8')).scripts

/** In an app, the CLI with its help is not part of the repository. */
const names = Object.keys(scripts).filter(
  (name) => existsSync('cli') || !scripts[name]?.includes(' plinth'),
)
const unpacked = /^(node_modules|\.git|\.next|\.data|\.plinth|test-results)(\/|$)/

test('every npm script answers --help without an installation and changes nothing', async () => {
  const folder = temporaryFolder()
  cpSync('.', folder, { recursive: true, filter: (path) => !unpacked.test(path) })
  const before = files(folder)
  const answers = await Promise.all(names.map((name) => help(folder, name)))
  for (const { name, exitCode, output } of answers) {
    expect({ name, exitCode, output }).toEqual({
      name,
      exitCode: 0,
      output: expect.stringMatching(/^\S.*\n(\n| {2}\S).{20,}\n[\s\S]*--help/),
    })
  }
  expect(files(folder)).toEqual(before)
})

test('npx plinth doctor answers --help without an installation', async () => {
  const folder = temporaryFolder()
  const scripts = 'packages/plinth/scripts'
  cpSync(scripts, join(folder, scripts), { recursive: true })
  const command = run(folder, ['packages/plinth/scripts/run.mjs', 'doctor', '--help'])
  expect(await command.exitCode).toBe(0)
  expect(command.output()).toContain('--rolling')
})

async function help(folder: string, name: string) {
  const [program, ...args] = scripts[name]?.split(' ') ?? []
  expect(program).toBe('node')
  const command = run(folder, [...args, '--help'])
  return { name, exitCode: await command.exitCode, output: command.output() }
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort()
}
