import { describe, expect, test } from 'vitest'
import { routesOf } from '#api/api'
import { modules } from '@/modules'
import { readSources } from '../../scripts/check/declarations/sources.mjs'
import { findErrors } from '../../scripts/check/declarations.mjs'

test('the tree has no errors, and its pages and actions were read', () => {
  const sources = readSources('.')
  const paths = [...sources.keys()]
  expect(paths.filter((path) => path.endsWith('/page.tsx')).length).toBeGreaterThan(5)
  expect(paths.filter((path) => path.endsWith('/actions.ts')).length).toBeGreaterThan(2)
  expect(paths.filter((path) => path.endsWith('.sql')).length).toBeGreaterThan(0)
  expect(findErrors(sources)).toEqual([])
})

test('every API route declares authorize', () => {
  for (const { declaration } of routesOf(modules)) {
    expect(declaration.authorize, declaration.path).toBeTypeOf('function')
  }
})

const errorsIn = (files: Record<string, string>) => findErrors(new Map(Object.entries(files)))

const guard = `import { page, publicPage } from '#guard/page'\n`

describe('a page', () => {
  const path = 'src/app/(notes)/notes/page.tsx'
  const declared = `${guard}
export default page({ name: 'view_notes', path: '/notes', authorize: mayRead }, () => null)
`
  const unauthorized = `${path}: export default page({ … }) or publicPage({ … }), so that the page is authorized.`

  test.each([
    ['page', declared],
    ['publicPage', `${guard}\nexport default publicPage({ path: '/notes' }, () => null)\n`],
    [
      'a long declaration',
      `${guard}\nexport default page(\n  {\n    name: 'view_notes',\n    path: '/notes',\n  },\n)\n`,
    ],
  ])('may be declared with %s', (_, text) => {
    expect(errorsIn({ [path]: text })).toEqual([])
  })

  test.each([
    ['a function', 'export default function Notes() {\n  return null\n}\n'],
    ['a component by name', `${guard}const Notes = () => null\nexport default Notes\n`],
    ['a commented declaration', `${guard}// export default page({\nexport default () => null\n`],
    [
      'a function named page of its own',
      `const page = () => null\nexport default page({ path: '/notes' })\n`,
    ],
    ['no default export', 'export const metadata = {}\n'],
  ])('may not be %s', (_, text) => {
    expect(errorsIn({ [path]: text })).toEqual([unauthorized])
  })

  test('of development is exempt', () => {
    expect(errorsIn({ 'src/app/dev/page.dev.tsx': 'export default () => null\n' })).toEqual([])
  })

  test.each([
    ['src/app/page.tsx', '/'],
    ['src/app/(landing)/page.tsx', '/'],
    ['src/app/(notes)/notes/(own)/[id]/page.tsx', '/notes/[id]'],
    ['src/app/(notes)/notes/@list/page.tsx', '/notes'],
  ])('in %s has the path %s', (file, url) => {
    const withPath = (value: string) => ({
      [file]: `${guard}\nexport default publicPage({ path: '${value}' }, () => null)\n`,
    })
    expect(errorsIn(withPath(url))).toEqual([])
    expect(errorsIn(withPath('/wrong'))).toEqual([
      `${file}: write path: '${url}', the URL of its folder; its path is not '/wrong'.`,
    ])
  })

  test('may not leave out its path', () => {
    expect(errorsIn({ [path]: `${guard}\nexport default publicPage({}, () => null)\n` })).toEqual([
      `${path}: write path: '/notes', the URL of its folder; its path is missing.`,
    ])
  })

  test('has a name of its own', () => {
    const other = 'src/app/(todos)/todos/page.tsx'
    expect(errorsIn({ [path]: declared, [other]: declared.replace('/notes', '/todos') })).toEqual([
      `${other}: choose another name than 'view_notes', which is the name of ${path} in the audit log.`,
    ])
  })
})

describe('a server action', () => {
  const path = 'src/app/(notes)/actions.ts'
  const start = `'use server'

import { action } from '#guard/action'
import { mutation } from '#guard/mutation'

`
  test.each([
    'export const save = action(\n  { name },\n)\n',
    'export const save = mutation({ name }, run)\n',
    'export const save =\n  mutation({ name }, run)\n',
    'export type Saved = string\nexport interface Note {}\n',
    'async function helper() {}\n',
  ])('may be declared: %s', (text) => {
    expect(errorsIn({ [path]: start + text })).toEqual([])
  })

  test.each([
    ['export async function save() {}', 'save'],
    ['export const save = async () => {}', 'save'],
    ['export default function save() {}', 'save'],
    ['export { save } from "./data"', '"export { save } from "./data""'],
    ["export * from './data'", `"export * from './data'"`],
  ])('may not be: %s', (text, name) => {
    expect(errorsIn({ [path]: `${start}${text}\n` })).toEqual([
      `${path}: declare ${name} with action({ … }) or mutation({ … }), so that it is authorized, or do not export it.`,
    ])
  })

  test('may not be declared with a function of the same name', () => {
    const text = `'use server'\nimport { action } from './mine'\nexport const save = action({})\n`
    expect(errorsIn({ [path]: text })).toHaveLength(1)
  })

  test.each([
    ['src/app/(notes)/ui/note-form.tsx', `async function save() {\n    'use server'\n  }\n`],
    ['src/app/(notes)/ui/note-form.tsx', `const save = async () => { 'use server'; run(id) }\n`],
    [path, `${start}const save = (id) => async () => { "use server"; run(id) }\n`],
  ])('may not be inside a function of %s', (file, text) => {
    expect(errorsIn({ [file]: text })).toEqual([
      `${file}: move the function with 'use server' to a file actions.ts that starts with it, and declare it with action({ … }) or mutation({ … }).`,
    ])
  })
})

test('a route handler of Next other than the API is an error', () => {
  const path = 'src/app/(notes)/notes/export/route.ts'
  expect(
    errorsIn({
      [path]: 'export const GET = () => new Response()\n',
      'src/app/api/[[...path]]/route.ts': '',
      'src/app/dev/oauth/route.dev.ts': '',
    }),
  ).toEqual([
    `${path}: declare it with route({ … }) in the module's api.ts, so that it is authorized; src/app/api/[[...path]]/route.ts serves it.`,
  ])
})

describe('an import', () => {
  const path = 'src/app/(notes)/data.ts'

  test.each([
    `import { mayRead } from '../(admin)/policy'`,
    `import type { Role } from '@/app/(admin)/policy'`,
    `export { mayRead } from '@/app/(admin)/policy'`,
    `import {\n  mayRead,\n  mayWrite,\n} from '@/app/(admin)/policy'`,
    `const load = () => import('../(admin)/policy')`,
  ])('of another module is an error: %s', (text) => {
    expect(errorsIn({ [path]: `${text}\n` })).toEqual([
      `${path}: do not import src/app/(admin)/policy of another module; move what both need to packages/plinth/src.`,
    ])
  })

  test.each([
    `import { mayRead } from './policy'`,
    `import { notes } from '@/app/(notes)/schema'`,
    `import { database } from '#db/client'`,
    `// import { mayRead } from '../(admin)/policy'`,
  ])('of core or the same module is allowed: %s', (text) => {
    expect(errorsIn({ [path]: `${text}\n` })).toEqual([])
  })
})

describe('a client component', () => {
  const path = 'src/app/(notes)/ui/note-form.tsx'
  const tree = (text: string) => ({
    [path]: `'use client'\n\n${text}\n`,
    'src/app/(notes)/fields.ts': `import { limit } from './limit'\n`,
    'src/app/(notes)/limit.ts': `import { readFileSync } from 'node:fs'\n`,
    'src/app/(notes)/types.ts': `import type { Stats } from 'node:fs'\nimport { type A } from './limit'\n`,
    'src/app/(notes)/data.ts': `import 'server-only'\n`,
    'src/app/(notes)/actions.ts': `'use server'\n\nimport { list } from './data'\n`,
    'src/ui/picker/index.tsx': `'use client'\n`,
  })
  const advice = 'Use `import type`, or pass the value as a prop.'

  test.each([
    `import { save } from '../actions'`,
    `import type { Note } from '../data'`,
    `import { type Note } from '../data'`,
    `import type { Stats } from 'node:fs'`,
    `import { A } from '../types'`,
    `import { Picker } from '@/ui/picker'`,
    `import { roles } from 'plinth/universal/users'`,
    `import type { Session } from 'plinth/http/scope'`,
    `import { useState } from 'react'`,
  ])('may import: %s', (text) => {
    expect(errorsIn(tree(text))).toEqual([])
  })

  test.each([`import { list } from '../data'`, `import { list, type Note } from '../data'`])(
    'may not import server code: %s',
    (text) => {
      expect(errorsIn(tree(text))).toEqual([
        `${path}: a client component cannot import server code. It imports src/app/(notes)/data.ts. ${advice}`,
      ])
    },
  )

  test('may not reach server code through another file', () => {
    expect(errorsIn(tree(`import { titleField } from '../fields'`))).toEqual([
      `${path}: a client component cannot import server code. It imports src/app/(notes)/fields.ts, which reaches src/app/(notes)/limit.ts. ${advice}`,
    ])
  })

  test.each([`import 'server-only'`, `import { database } from 'plinth/db/client'`])(
    'may not be server code itself: %s',
    (text) => {
      expect(errorsIn(tree(text))).toEqual([
        `${path}: remove 'use client', or the import of 'server-only', 'node:' or 'plinth/' except 'plinth/universal/'; this is server code.`,
      ])
    },
  )
})

describe('a recent sign-in', () => {
  const path = 'src/app/(notes)/actions.ts'
  const start = `'use server'\nimport { mutation } from '#guard/mutation'\n`
  const mutationWith = (key: string, body: string) =>
    `${start}export const share = mutation(\n  { name: 'share', ${key} },\n  async ({ tx }) => ${body},\n)\n`

  test.each([
    ['changes another user', 'lockUsers: ({ input }) => [input.userId]', 'tx'],
    ['deletes an account', '', 'deleteUserAndData(tx, id)'],
    ['deletes an account', '', 'deleteOwnAccount(tx, id, undefined)'],
    ['changes a password', '', 'storePassword(tx, id, hash)'],
    ['changes linked accounts', '', 'tx.delete(accounts)'],
  ])('is required of a mutation that %s', (reason, key, body) => {
    expect(errorsIn({ [path]: mutationWith(key, body) })).toEqual([
      `${path}: share ${reason}. Declare recentSignIn: true.`,
    ])
    expect(errorsIn({ [path]: mutationWith(`${key}, recentSignIn: true`, body) })).toEqual([])
  })

  test('is not required of other mutations', () => {
    const other = mutationWith('', 'tx.delete(notes)')
    const next = `export const remove = mutation({ name: 'remove', lockUsers, recentSignIn: 5 }, run)\n`
    expect(errorsIn({ [path]: other + next })).toEqual([])
  })

  test('is required of a route that exports data', () => {
    const api = 'src/app/(notes)/api.ts'
    const routeWith = (keys: string) =>
      `import { route } from '#guard/route'\nexport const api = [route({ name: 'export_notes', ${keys} }, run)]\n`
    expect(errorsIn({ [api]: routeWith("download: 'notes.json'") })).toEqual([
      `${api}: the route 'export_notes' exports data. Declare recentSignIn: true.`,
    ])
    expect(errorsIn({ [api]: routeWith("download: 'notes.json', recentSignIn: true") })).toEqual([])
  })
})

describe('a name', () => {
  const mail = `export const digest = mail({ purpose: 'notes.digest', data }, async () => null)\n`
  const job = `export const digest: Job = job({ name: 'notes.nightly' }, async () => null)\n`
  const create = (exported: string, name: string) =>
    `'use server'\nimport { mutation } from '#guard/mutation'\nexport const ${exported} = mutation({\n  name: '${name}',\n}, run)\n`

  test('is exported once in a module', () => {
    expect(
      errorsIn({
        'src/app/(notes)/digest-job.ts': job,
        'src/app/(notes)/digest-mail.ts': mail,
        'src/app/(tasks)/digest-mail.ts': mail.replace('notes.', 'tasks.'),
      }),
    ).toEqual([
      'src/app/(notes)/digest-mail.ts: choose another name than digest, which src/app/(notes)/digest-job.ts exports.',
    ])
  })

  test('of an action, a mail or a job is declared once in the app', () => {
    expect(
      errorsIn({
        'src/app/(notes)/actions.ts': create('createNote', 'create_note'),
        'src/app/(notes)/digest-mail.ts': mail,
        'src/app/(tasks)/actions.ts': create('createTask', 'create_note'),
        'src/app/(tasks)/weekly-mail.ts': mail.replace('const digest', 'const weekly'),
      }),
    ).toEqual([
      "src/app/(tasks)/actions.ts: choose another name than 'create_note' for createTask, which is that of createNote in src/app/(notes)/actions.ts.",
      "src/app/(tasks)/weekly-mail.ts: choose another name than 'notes.digest' for weekly, which is that of digest in src/app/(notes)/digest-mail.ts.",
    ])
  })

  test('may be that of a route, which has the guard of an action', () => {
    const route = `import { route } from '#guard/route'\nexport const createNoteRoute = route({ name: 'create_note' }, run)\n`
    expect(
      errorsIn({
        'src/app/(notes)/actions.ts': create('createNote', 'create_note'),
        'src/app/(notes)/api.ts': route,
      }),
    ).toEqual([])
  })
})
