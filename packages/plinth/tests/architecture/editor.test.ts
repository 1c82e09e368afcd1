import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { engineProgram, nextBin } from '../../scripts/paths.mjs'

type Configuration = { name: string; program: string; args?: string[]; preLaunchTask?: string }

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const configurations: Configuration[] = readJson('.vscode/launch.json').configurations
const named = (name: string) => {
  const found = configurations.find((configuration) => configuration.name.startsWith(name))
  if (!found) throw new Error(`No configuration ${name}`)
  return { ...found, program: found.program.replace(/^\$\{workspaceFolder\}/, resolve('.')) }
}
const flagsOf = ({ args = [] }: Configuration) =>
  args.filter((arg) => arg.startsWith('--')).map((arg) => arg.replace(/=.*/, ''))
const help = (...args: string[]) =>
  execFileSync(process.execPath, [...args, '--help'], { encoding: 'utf8' })

test.each(['Current Vitest file', 'Current Playwright spec'])(
  '%s: its program has the command and the flags',
  (name) => {
    const { program, args = [] } = named(name)
    const text = help(program, args[0] ?? '')
    for (const flag of flagsOf(named(name))) expect(text).toContain(flag)
  },
  30_000,
)

test('the development server is debugged with a flag of Next', () => {
  const { program, args = [] } = named('Development server')
  expect(help(program, args[0] ?? '')).toContain('npm run dev')
  const text = help(nextBin, 'dev')
  for (const flag of flagsOf(named('Development server'))) expect(text).toContain(flag)
}, 30_000)

test('the built server is the program that its task builds', () => {
  const { program, args, preLaunchTask = '' } = named('Built server')
  expect([program, args]).toEqual([engineProgram, ['start']])
  expect(readJson('package.json').scripts).toHaveProperty(preLaunchTask.replace('npm: ', ''))
})

test('the editor uses the formatter and the compiler of the project', () => {
  const settings = readJson('.vscode/settings.json')
  const { recommendations } = readJson('.vscode/extensions.json')
  expect(recommendations).toContain(settings['editor.defaultFormatter'])
  expect(existsSync(settings['js/ts.tsdk.path'])).toBe(true)
})
