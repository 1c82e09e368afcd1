import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isComplete } from '../../../cli/source/package/lock-file.mjs'
import { combinations } from '../support/combinations'
import { read, run, snapshot } from '../support/run'
import { packedTemplate, temporaryFolder, unpack } from '../support/template'

let creator: string
let complete: Record<string, string>

beforeAll(() => {
  creator = join(unpack(packedTemplate()), 'bin/create-plinth.mjs')
  complete = snapshot(create('landing,account,admin,content,security'))
})

function create(modules: string): string {
  const folder = temporaryFolder()
  const args = [creator, 'app', '--yes', '--no-git', '--modules', modules]
  expect(run(process.execPath, args, folder)).toMatchObject({ code: 0 })
  return join(folder, 'app')
}

/** Files that depend on the chosen modules; all others are the same in every app. */
const dependsOnModules = ['src/modules.ts', 'package.json', 'package-lock.json', 'plinth.json']

test.each(combinations)('%s: contains exactly its modules', (modules) => {
  const app = create(modules)
  const chosen = modules === 'none' ? [] : modules.split(',')
  const groups = readdirSync(join(app, 'src/app')).filter((name) => /^\((?!auth)/.test(name))
  expect(groups).toEqual(chosen.map((id) => `(${id})`).sort())
  const files = snapshot(app)
  for (const [path, content] of Object.entries(complete)) {
    const module = /^src\/app\/\((?!auth)([^)]+)\)/.exec(path)?.[1]
    if (dependsOnModules.includes(path)) continue
    expect([path, files[path]]).toEqual([
      path,
      !module || chosen.includes(module) ? content : undefined,
    ])
  }
  const { dependencies } = JSON.parse(read(app, 'package.json'))
  expect('markdown-it' in dependencies).toBe(chosen.includes('content'))
  expect('uqr' in dependencies).toBe(chosen.includes('security'))
  expect(isComplete(JSON.parse(read(app, 'package-lock.json')))).toBe(true)
})
