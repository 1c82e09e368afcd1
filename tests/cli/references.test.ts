import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findReferences } from '../../cli/source/module/references.mjs'

const app = mkdtempSync(join(tmpdir(), 'plinth-references-'))
afterAll(() => rmSync(app, { recursive: true }))

const migration = 'src/app/(tasks)/migrations/0001_initial.sql'
const files = {
  [migration]: 'create table tasks (project_id uuid\n  references "projects" (id));',
  'src/app/(tasks)/data.ts': "import { projects } from '../(projects)/schema'\n",
  'src/app/(notes)/migrations/0001_initial.sql':
    '-- references projects\ncreate table notes (a uuid references projects_old (id));',
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(join(app, dirname(path)), { recursive: true })
  writeFileSync(join(app, path), text)
}

const removed = {
  module: { id: 'projects' },
  ours: new Map([
    [
      'src/app/(projects)/migrations/0001_initial.sql',
      Buffer.from('create table if not exists projects (id uuid primary key);'),
    ],
  ]),
}

test('foreign keys and imports of modules that stay are found', async () => {
  expect(await findReferences(app, [removed], [{ id: 'notes' }, { id: 'tasks' }])).toEqual([
    { id: 'tasks', path: 'src/app/(tasks)/data.ts', refersTo: 'projects' },
    { id: 'tasks', path: migration, refersTo: 'projects' },
  ])
  expect(await findReferences(app, [removed], [{ id: 'notes' }])).toEqual([])
})
