import { expect, test } from 'vitest'
import {
  needsOf,
  refuseUnknownFiles,
} from '../../packages/plinth/scripts/testing/selected-files.mjs'
import { openProject, temporaryFolder } from './support/project'

/** A project with test support that uses the build, PostgreSQL or Redis. */
function projectWith(files: Record<string, string>) {
  const project = openProject(temporaryFolder())
  const support = {
    'packages/plinth/src/testing/server/index.ts': `export { program } from '#testing/server/server'`,
    'packages/plinth/src/testing/server/server.ts': `export const program = 'node_modules/plinth'`,
    'packages/plinth/src/testing/index.ts': `export { url } from '#testing/database'`,
    'packages/plinth/src/testing/database.ts': 'export const url = process.env.TEST_DATABASE_URL',
    'tests/support/signed-in.ts': `import { program } from 'plinth/testing/server'`,
    'tests/support/limits.ts': 'process.env.TEST_REDIS_URL',
  }
  for (const [path, text] of Object.entries({ ...support, ...files })) project.write(path, text)
  return project.folder
}

test.each([
  ['nothing', 'tests/policy.test.ts', '', { build: false, services: [] }],
  ['a database', 'tests/users.db.test.ts', '', { build: false, services: ['postgres'] }],
  ['no service on the embedded database', 'tests/users.embedded.test.ts', '', { services: [] }],
  [
    'no build, if its support only opens a database',
    'src/app/(notes)/tests/rows.embedded.test.ts',
    `import { url } from 'plinth/testing'`,
    { build: false, services: [] },
  ],
  [
    'a build, if its support starts the server',
    'src/app/(notes)/tests/pages.embedded.test.ts',
    `import { signIn } from '@tests/support/signed-in'`,
    { build: true, services: [] },
  ],
  [
    'what support that is imported on demand needs',
    'tests/limits.test.ts',
    `const { count } = await import('./support/limits')`,
    { build: false, services: ['redis'] },
  ],
  [
    'no build to write one in a project of its own',
    'tests/start.test.ts',
    `project.write('.next/BUILD_ID', '1')`,
    { build: false },
  ],
  [
    'a build and a browser, for a spec',
    'tests/e2e/menu.spec.ts',
    '',
    { build: true, services: ['chromium'], specs: ['tests/e2e/menu.spec.ts'] },
  ],
  [
    'no build for a spec of the development server',
    'packages/plinth/tests/e2e/nightly/development/mailbox.spec.ts',
    '',
    { build: false, services: ['chromium'] },
  ],
])('a test file needs %s', async (_, file, text, needs) => {
  const folder = projectWith({ [file]: text })
  expect(await needsOf([file], { folder })).toMatchObject({ files: [file], ...needs })
})

test('a folder, or a part of a name, needs what all of its files need', async () => {
  const folder = projectWith({
    'packages/plinth/tests/guard/policy.test.ts': '',
    'packages/plinth/tests/users.db.test.ts': '',
    'packages/plinth/tests/pages.test.ts': `import { program } from '#testing/server/server'`,
  })
  expect(await needsOf(['./packages/plinth/tests/'], { folder })).toMatchObject({
    build: true,
    services: ['postgres'],
  })
  expect(await needsOf(['policy'], { folder })).toMatchObject({ build: false, services: [] })
})

test('arguments that select no file say nothing about needs', async () => {
  expect(await needsOf(['-t', '--bail'], { folder: projectWith({}) })).toBeUndefined()
  expect(await needsOf(['absent.test.ts'], { folder: projectWith({}) })).toBeUndefined()
})

const files = {
  'packages/plinth/tests/app/form.test.ts': '',
  'tests/contract/session.db.test.ts': '',
  'src/app/(notes)/tests/form.spec.ts': '',
}

test.each([
  [['packages/plinth/tests/frm.test.ts'], 'Did you mean packages/plinth/tests/app/form.test.ts?'],
  [['test/form.test.ts'], 'Did you mean packages/plinth/tests/app/form.test.ts?'],
  [['tests/contract/session.db.test.ts', 'form.specs.ts'], 'Did you mean src/app/(notes)'],
  [['-t', 'a title', 'tests/nothing-like-it.test.ts'], 'Give a file, a folder or a part of its'],
])('refuses %j, which selects no test', async (args, hint) => {
  const unknown = args.at(-1)
  await expect(refuseUnknownFiles(args, { folder: projectWith(files) })).rejects.toThrow(
    `No test file matches ${unknown}. ${hint}`,
  )
})

test.each([
  [['packages/plinth/tests/app/form.test.ts']],
  [['./packages/plinth/tests']],
  [['form']],
  [['packages/plinth/tests/app/form.test.ts:12']],
  [['form', '-t', 'a title that is no file']],
  [['form', '--testNamePattern=title', '--bail', '1']],
  [[]],
])('accepts %j', async (args) => {
  await expect(refuseUnknownFiles(args, { folder: projectWith(files) })).resolves.toBeUndefined()
})
