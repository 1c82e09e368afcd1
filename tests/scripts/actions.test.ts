import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { hashOf, writeActions } from '../../packages/plinth/scripts/build/manifests.mjs'

const key = 'key'
const saveNote = 'src/app/(notes)/actions.ts#saveNote'
const saveNoteId = `7f${hashOf(saveNote, key)}`

/** A build with the action `saveNote`, whose folder has this list of former names. */
async function build(former?: string): Promise<{ known: string[]; former: object }> {
  const root = mkdtempSync(join(tmpdir(), 'plinth-actions-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const action = { filename: 'src/app/(notes)/actions.ts', exportedName: 'saveNote' }
  const manifest = { node: { [saveNoteId]: action }, encryptionKey: key }
  write('.next/server/server-reference-manifest.json', JSON.stringify(manifest))
  write('src/app/layout.tsx', '')
  if (former !== undefined) write('src/app/(notes)/former-actions.json', former)
  await writeActions(root, join(root, 'actions.json'))
  return JSON.parse(readFileSync(join(root, 'actions.json'), 'utf8'))
}

test('without a list the build knows its own actions only', async () => {
  expect(await build()).toEqual({ known: [saveNoteId], former: {} })
})

test('a former name leads to the present id, also of a file in another folder', async () => {
  const { former } = await build(
    '{ "note-actions.ts#save": "actions.ts#saveNote", "../(old)/a.ts#b": "actions.ts#saveNote" }',
  )
  expect(former).toEqual({
    [hashOf('src/app/(notes)/note-actions.ts#save', key)]: saveNoteId,
    [hashOf('src/app/(old)/a.ts#b', key)]: saveNoteId,
  })
})

const list = 'src/app/(notes)/former-actions.json'

test.each([
  [
    '{ "old.ts#save": "actions.ts#gone" }',
    `${list}: there is no action src/app/(notes)/actions.ts#gone.`,
  ],
  [
    '{ "actions.ts#saveNote": "actions.ts#saveNote" }',
    `${list}: ${saveNote} exists. Remove it from the list.`,
  ],
  ['{', `${list} is not valid JSON.`],
])('the build fails with the list %s', async (former, message) => {
  await expect(build(former)).rejects.toThrow(message)
})
