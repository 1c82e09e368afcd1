import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { choose } from '../../cli/source/terminal/questions.mjs'
import { read } from './support/run'
import { packedTemplate, temporaryFolder, unpack } from './support/template'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let creator: string

beforeAll(() => {
  creator = join(unpack(packedTemplate()), 'bin/create-plinth.mjs')
})

/** In a terminal of its own, as a person would see it. */
function converse(folder: string, args: string) {
  const command = `${process.execPath} ${creator} ${args}`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code as number)
  let seen = ''
  child.stdout.on('data', (text) => {
    seen += text
  })
  return {
    ended,
    seen: () => seen,
    async answer(question: RegExp, line: string) {
      await vi.waitFor(() => expect(seen).toMatch(question), { timeout: 30_000 })
      seen = ''
      child.stdin.write(line)
    },
  }
}

test('what is not said is asked, and a wrong answer is asked again', async () => {
  const folder = temporaryFolder()
  const talk = converse(folder, 'my-app --no-git')
  await talk.answer(/What is it called\? \(my-app\): /, 'My Shop\n')
  await talk.answer(/Which modules\?.*\(all\): /s, 'account, shop\n')
  await talk.answer(/There is no shop\..*Which modules\?.*\(all\): /s, 'account 3\n')
  await talk.answer(/Sign in also with\?.*\(all\): /s, 'none\n')
  expect(await talk.ended).toBe(0)
  expect(talk.seen()).toContain('npm start')
  expect(JSON.parse(read(folder, 'my-app/plinth.json'))).toMatchObject({
    name: 'My Shop',
    modules: ['account', 'content'],
    providers: [],
  })
})

test('Enter takes what is usual', async () => {
  const folder = temporaryFolder()
  const talk = converse(folder, 'app --no-git --providers github')
  await talk.answer(/What is it called/, '\n')
  await talk.answer(/Which modules/, '\n')
  expect(await talk.ended).toBe(0)
  expect(JSON.parse(read(folder, 'app/plinth.json'))).toMatchObject({
    name: 'app',
    modules: ['account', 'admin', 'content', 'landing'],
    providers: ['github'],
  })
})

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at a question leaves nothing', async (_, key) => {
  const folder = temporaryFolder()
  const talk = converse(folder, 'app')
  await talk.answer(/What is it called/, 'Mine\n')
  await talk.answer(/Which modules/, key)
  expect(await talk.ended).not.toBe(0)
  expect(talk.seen()).toContain('Nothing was created.')
  expect(readdirSync(folder)).toEqual([])
})

test('a list is names or numbers, all, none, or nothing said', () => {
  const known = ['account', 'admin', 'content']
  expect(choose('', known, ['admin'])).toEqual(['admin'])
  expect(choose('all', known)).toEqual(known)
  expect(choose('None', known)).toEqual([])
  expect(choose('2, content', known)).toEqual(['admin', 'content'])
  expect(() => choose('4', known)).toThrow('There is no 4')
})
