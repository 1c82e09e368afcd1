import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { parseChoices } from '../../../cli/source/terminal/prompts.mjs'
import { read } from '../support/run'
import { packedTemplate, temporaryFolder, unpack } from '../support/template'

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
  await terminal.answer(/App name \(my-app\): /, '?\n')
  await terminal.answer(/Invalid name: "\?".*App name \(my-app\): /s, 'My Shop\n')
  await terminal.answer(/Modules.* 2 admin +Administration: .*\(all\): /s, 'account, shop\n')
  await terminal.answer(/Unknown choice: shop\..*Modules.*\(all\): /s, 'account 3\n')
  await terminal.answer(/OAuth providers.* 1 github +Sign-in with .*\(all\): /s, 'none\n')
  await terminal.answer(/name +My Shop \(package my-shop\).*Create it\? \(yes\): /s, 'what\n')
  await terminal.answer(/Answer yes or no\..*Create it\? /s, 'y\n')
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
  await terminal.answer(/Create it/, '\n')
  expect(await terminal.exitCode).toBe(0)
  expect(JSON.parse(read(folder, 'app/plinth.json'))).toMatchObject({
    name: 'app',
    modules: ['account', 'admin', 'content', 'landing', 'security'],
    providers: ['github'],
  })
})

test.each([
  ['Ctrl-C at the first prompt', ['\u0003']],
  ['Ctrl-C at the list', ['Mine\n', '\u0003']],
  ['Ctrl-D at the list', ['Mine\n', '\u0004']],
  ['Ctrl-C instead of yes', ['Mine\n', '\n', '\n', '\u0003']],
  ['no', ['Mine\n', '\n', '\n', 'no\n']],
])('%s creates nothing and says so', async (_, keys) => {
  const folder = temporaryFolder()
  const terminal = runInTerminal(folder, 'new/app')
  const prompts = [/App name/, /Modules/, /OAuth providers/, /Create it/]
  for (const [index, key] of keys.entries()) await terminal.answer(prompts[index] ?? /$/, key)
  expect(await terminal.exitCode).toBe(130)
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
  expect(() => parseChoices('acount', available)).toThrow(
    'Unknown choice: acount. Did you mean account? Available: ',
  )
})
