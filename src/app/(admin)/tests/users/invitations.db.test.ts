import { eq, inArray } from 'drizzle-orm'
import type { Cursor } from 'plinth/db/list'
import { mailQueue, verificationTokens } from 'plinth/db/schema'
import { testDatabase } from 'plinth/testing'
import { beforeEach, expect, test } from 'vitest'
import {
  encodeInvitationCursor,
  invitationCursorField,
  listInvitations,
} from '../../data/invitations'

const db = testDatabase()

beforeEach(async () => {
  await db.database.delete(mailQueue)
  await db.database.delete(verificationTokens)
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** In different case and with signs, so that the database's collation decides among equal times. */
const emails = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${index % 7}${name}-${index}_é@example.org`)

async function send(invited: readonly string[], createdAt = minutesAgo(5)) {
  const expiresAt = minutesAgo(-60)
  await db.database.insert(verificationTokens).values(
    invited.map((email) => ({
      purpose: 'invitation' as const,
      tokenHash: Buffer.from(crypto.getRandomValues(new Uint8Array(32))),
      email,
      createdAt,
      expiresAt,
    })),
  )
}

async function queue(invited: readonly string[], createdAt = minutesAgo(5)) {
  const rows = invited.map((email) => ({ purpose: 'invitation', email, createdAt }))
  await db.database.insert(mailQueue).values(rows)
}

async function read(cursor?: Cursor) {
  // As the URL carries it.
  const carried = cursor && invitationCursorField.parse(encodeInvitationCursor(cursor))
  const page = await listInvitations(carried)
  return { ...page, emails: page.invitations.map(({ email }) => email) }
}

test('lists the newest invitations first, sent and queued ones together', async () => {
  await send(['b@example.org'], minutesAgo(2))
  await queue(['a@example.org'], minutesAgo(1))
  await queue(['c@example.org'], minutesAgo(3))
  const { invitations } = await listInvitations()
  expect(invitations.map(({ email }) => email)).toEqual([
    'a@example.org',
    'b@example.org',
    'c@example.org',
  ])
  expect(invitations.map(({ expiresAt }) => expiresAt instanceof Date)).toEqual([
    false,
    true,
    false,
  ])
})

test('lists an email that is invited again once, and no expired or other links', async () => {
  await send(['again@example.org', 'expired@example.org'])
  await queue(['again@example.org'], minutesAgo(1))
  const expired = eq(verificationTokens.email, 'expired@example.org')
  await db.database
    .update(verificationTokens)
    .set({ expiresAt: minutesAgo(1) })
    .where(expired)
  await send(['reset@example.org'])
  await db.database
    .update(verificationTokens)
    .set({ purpose: 'reset_password' })
    .where(eq(verificationTokens.email, 'reset@example.org'))
  await db.database.insert(mailQueue).values({ purpose: 'sign_up', email: 'new@example.org' })
  expect((await read()).emails).toEqual(['again@example.org'])
  // Its email is queued again, and the first link has expired.
  await queue(['expired@example.org'], minutesAgo(9))
  expect((await read()).emails).toEqual(['again@example.org', 'expired@example.org'])
})

test('pages of 25 lead forward and back over equal times', async () => {
  const at = minutesAgo(5)
  await send(emails(40, 'Sent'), at)
  await queue(emails(35, 'queued'), at)
  const first = await read()
  const second = await read(first.next)
  const third = await read(second.next)
  expect([first, second, third].map((page) => page.emails.length)).toEqual([25, 25, 25])
  expect(new Set([...first.emails, ...second.emails, ...third.emails]).size).toBe(75)
  expect([first.previous, third.next]).toEqual([undefined, undefined])
  const back = await read(third.previous)
  expect(back.emails).toEqual(second.emails)
  const start = await read(back.previous)
  expect(start.emails).toEqual(first.emails)
  expect(start.previous).toBeUndefined()
})

test('a page that became empty leads to the last one', async () => {
  await send(emails(26, 'x'))
  const first = await read()
  const [last = ''] = (await read(first.next)).emails
  await db.database.delete(verificationTokens).where(inArray(verificationTokens.email, [last]))
  const again = await read(first.next)
  expect(again).toMatchObject({ emails: first.emails, next: undefined, previous: undefined })
})

test.each([
  { direction: 'next', key: 'now', id: 'a@example.org' },
  { direction: 'next', key: '2026-01-01T00:00:00.000Z', id: 'a\0' },
  { direction: 'sideways', key: '2026-01-01T00:00:00.000Z', id: 'a' },
])('rejects the forged cursor %o', (cursor) => {
  const text = Buffer.from(JSON.stringify(cursor)).toString('base64url')
  expect(invitationCursorField.safeParse(text).success).toBe(false)
})
