import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { parseChoices } from '../../cli/source/terminal/prompts.mjs'
import { read } from './support/run'
import { packedTemplate, temporaryFolder, unpack } from './support/template'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let creator: string

beforeAll(() => {
  creator = join(unpack(packedTemplate()), 'bin/create-plinth.mjs')
})

/** Runs the command in a pseudo-terminal. */
function runInTerminal(folder: string, args: string) {
  const command = `${process.execPath} ${creator} ${args}`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exitCode = once(child, 'exit').then(([code]) => code as number)
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  return {
    exitCode,
    output: () => output,
    async answer(question: RegExp, line: string) {
      await vi.waitFor(() => expect(output).toMatch(question), { timeout: 30_000 })
      output = ''
      child.stdin.write(line)
    },
  }
}

test('prompts for missing values and repeats a prompt after an invalid answer', async () => {
  const folder = temporaryFolder()
  const terminal = runInTerminal(folder, 'my-app --no-git')
  await terminal.answer(/App name \(my-app\): /, 'My Shop\n')
  await terminal.answer(/Modules.*\(all\): /s, 'account, shop\n')
  await terminal.answer(/Unknown choice: shop\..*Modules.*\(all\): /s, 'account 3\n')
  await terminal.answer(/OAuth providers.*\(all\): /s, 'none\n')
  expect(await terminal.exitCode).toBe(0)
  expect(terminal.output()).toContain('npm start')
  expect(JSON.parse(read(folder, 'my-app/plinth.json'))).toMatchObject({
    name: 'My Shop',
    modules: ['account', 'content'],
    providers: [],
  })
})

test('Enter selects the default', async () => {
  const folder = temporaryFolder()
  const terminal = runInTerminal(folder, 'app --no-git --providers github')
  await terminal.answer(/App name/, '\n')
  await terminal.answer(/Modules/, '\n')
  expect(await terminal.exitCode).toBe(0)
  expect(JSON.parse(read(folder, 'app/plinth.json'))).toMatchObject({
    name: 'app',
    modules: ['account', 'admin', 'content', 'landing'],
    providers: ['github'],
  })
})

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at a prompt creates nothing', async (_, key) => {
  const folder = temporaryFolder()
  const terminal = runInTerminal(folder, 'app')
  await terminal.answer(/App name/, 'Mine\n')
  await terminal.answer(/Modules/, key)
  expect(await terminal.exitCode).not.toBe(0)
  expect(terminal.output()).toContain('Nothing was created.')
  expect(readdirSync(folder)).toEqual([])
})

test('parses names, numbers, all, none and an empty line', () => {
  const available = ['account', 'admin', 'content']
  expect(parseChoices('', available, ['admin'])).toEqual(['admin'])
  expect(parseChoices('all', available)).toEqual(available)
  expect(parseChoices('None', available)).toEqual([])
  expect(parseChoices('2, content', available)).toEqual(['admin', 'content'])
  expect(() => parseChoices('4', available)).toThrow('Unknown choice: 4')
})
