import { createDemoAccounts } from 'plinth/auth/accounts/users'
import {
  encodeSessionCursor,
  type listUserSessions,
  sessionCursorField,
} from 'plinth/auth/sessions/list'
import { mailQueue } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { findPage } from 'plinth/http/page-registry'
import { configure, signedInScope, testDatabase, userIdOf } from 'plinth/testing'
import type { DeferredValue } from 'plinth/universal/deferred-value'
import { createElement, type ReactElement } from 'react'
import { prerender } from 'react-dom/static'
import { beforeAll, expect, test } from 'vitest'
import { encodeInvitationCursor, type listInvitations } from '../data/invitations'
import '../admin/invitations/page'
import '../admin/users/[id]/page'
import { Sessions } from '../admin/users/[id]/sessions'

const db = testDatabase()

let admin: SignedInScope
let viewer: string

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInScope(db.database, 'admin@example.com')
  viewer = await userIdOf(db.database, 'viewer@example.com')
  for (let index = 0; index < 25; index += 1) {
    await signedInScope(db.database, 'viewer@example.com')
  }
})

async function load<Data>(path: string, query: Record<string, string>): Promise<Data> {
  const found = findPage(path)
  const loaded = await found?.preload(admin, { params: found.params, query })
  return (loaded as { data: Data }).data
}

type SessionPage = Awaited<ReturnType<typeof listUserSessions>>

async function loadSessions(query: Record<string, string>): Promise<SessionPage> {
  type Data = { sessions: DeferredValue<SessionPage> }
  return (await load<Data>(`/admin/users/${viewer}`, query)).sessions.promise
}

test('the page of a user lists 20 sessions at a time and ignores a forged cursor', async () => {
  const first = await loadSessions({})
  expect(first.sessions).toHaveLength(20)
  if (!first.next) throw new Error('There is no next page.')
  const cursor = encodeSessionCursor(first.next)
  const second = await loadSessions({ sessions: cursor })
  expect(second.sessions).toHaveLength(5)
  expect(second.next).toBeUndefined()
  expect(await loadSessions({ sessions: 'forged' })).toEqual(first)
})

test('the second page links to the first, and its forms lead back to it', async () => {
  const { next } = await loadSessions({})
  if (!next) throw new Error('There is no next page.')
  const sessions = encodeSessionCursor(next)
  const page = await loadSessions({ sessions })
  const user = { id: viewer, name: 'Demo Viewer' }
  const selected = page.sessions[0]?.id
  const own = { current: admin.session.id, isSelf: false }
  const props = { page, cursor: next, user, selected, ...own }
  const html = await render(createElement(Sessions, props))
  const hiddenField = `<input type="hidden" name="sessions" value="${sessions}"/>`
  // The field is in the form that opens the dialog without JavaScript, and in the form in the dialog.
  expect(html.split(hiddenField)).toHaveLength(3)
  const [, link] = /href="[^"]*\?sessions=([\w-]+)#sessions" rel="prev"/.exec(html) ?? []
  expect(sessionCursorField.parse(link)).toMatchObject({ direction: 'previous' })
  expect(html).not.toContain('rel="next"')
})

/** Waits for the dialog, which is loaded on demand. */
async function render(element: ReactElement): Promise<string> {
  return new Response((await prerender(element)).prelude).text()
}

test('invitations have pages', async () => {
  configure({ SIGN_UP: 'invite' })
  const rows = Array.from({ length: 30 }, (_, index) => ({
    purpose: 'invitation',
    email: `invited-${index}@example.org`,
  }))
  await db.database.insert(mailQueue).values(rows)
  type Page = Awaited<ReturnType<typeof listInvitations>>
  const read = async (query: Record<string, string>) =>
    (await load<{ results: DeferredValue<Page> }>('/admin/invitations', query)).results.promise
  const first = await read({})
  expect(first.invitations).toHaveLength(25)
  if (!first.next) throw new Error('There is no next page.')
  const second = await read({ cursor: encodeInvitationCursor(first.next) })
  expect(second.invitations).toHaveLength(5)
  expect(await read({ cursor: 'forged' })).toEqual(first)
})
