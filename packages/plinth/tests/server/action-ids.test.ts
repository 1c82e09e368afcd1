import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hashOf } from '../../scripts/build/manifests.mjs'

const read = (path: string) => readFileSync(path, 'utf8')

test('the id of an action depends on the names of the app, the file and the export only', () => {
  const { name } = JSON.parse(read('package.json'))
  const derived = createHash('sha256').update(name).digest('base64')
  const key = process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY || derived
  const { node } = JSON.parse(read('.next/server/server-reference-manifest.json'))
  const actions = Object.entries<{ filename: string; exportedName: string }>(node)
  expect(actions.length).toBeGreaterThan(5)
  for (const [id, { filename, exportedName }] of actions) {
    expect(id.slice(2)).toBe(hashOf(`${filename}#${exportedName}`, key))
  }
})

test('pages name the build, and their files are named by content alone', () => {
  const page = read('.next/server/app/unavailable.html')
  expect(page).toContain(`<html data-dpl-id="${read('.next/BUILD_ID')}"`)
  expect(page).toMatch(/src="\/_next\/static\/immutable\/chunks\/[^"?]+\.js"/)
  expect(page).not.toContain('?dpl=')
})
