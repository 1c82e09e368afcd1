import { expect, test } from 'vitest'
import {
  changeNotice,
  recoveryAllowed,
  recoveryCompleted,
  recoveryNotice,
  recoveryRejected,
} from '@/mail/recovery-messages'

const link = 'https://app.example.com/recover?token=x'
const origin = 'http://localhost:3000'
const at = new Date('2026-03-01T09:30:00Z')
const sentences = ['The email was changed from a@example.com to b@example.com.']

const textOf = async (message: ReturnType<typeof changeNotice>) => {
  const { text, html } = await message
  expect(html).toContain('prefers-color-scheme: dark')
  expect(html).not.toMatch(/<(img|link|script)\b/)
  return text.replaceAll(/\s+/g, ' ')
}

test('a notice says what changed and when, and what to do if it was not the reader', async () => {
  const text = await textOf(
    changeNotice('a@example.com', { at, sentences, confirmed: false, origin, link }),
  )
  expect(text).toContain(sentences[0])
  expect(text).toContain('March 1, 2026 at 9:30 AM UTC')
  expect(text).toContain('If it was you, there is nothing to do.')
  expect(text).toContain(`This was not me: ${link}`)
  expect(text).toContain('You have seven days.')
})

test('a notice without a link names another way', async () => {
  const facts = { at, sentences, origin }
  const confirmed = await textOf(changeNotice('a@example.com', { ...facts, confirmed: true }))
  expect(confirmed).toContain('confirmed with your authenticator app or a passkey')
  expect(confirmed).toContain(`${origin}/account/security`)
  const left = await textOf(changeNotice('b@example.com', { ...facts, confirmed: false }))
  expect(left).toContain('ask an admin for help')
  for (const text of [confirmed, left]) expect(text).not.toContain('token=')
})

const opened = {
  isReminder: false,
  openedAt: at,
  targetEmail: 'a@example.com',
  readyAt: new Date('2026-03-04T09:30:00Z'),
  sentences,
  link,
}

test('the opener reads when the wait ends and how to shorten it', async () => {
  const text = await textOf(recoveryNotice('a@example.com', { ...opened, openedBy: 'you' }))
  expect(text).toContain('On March 1, 2026 at 9:30 AM UTC you told us')
  expect(text).toContain('You can take back the account on March 4, 2026 at 9:30 AM UTC.')
  expect(text).toContain('with the password that it had before')
  expect(text).toContain(link)
})

test('the reader of another email reads what would be undone and until when to object', async () => {
  const facts = { ...opened, openedBy: 'another' as const }
  const text = await textOf(recoveryNotice('b@example.com', facts))
  expect(text).toContain('was opened from another email on March 1, 2026')
  expect(text).toContain(sentences[0])
  expect(text).toContain('undone after March 4, 2026 at 9:30 AM UTC')
  expect(text).toContain('belongs to the reader of a@example.com')
  expect(text).toContain('object before then')
  expect(text).toContain(link)
  const reminder = await recoveryNotice('b@example.com', { ...facts, isReminder: true })
  expect(reminder.subject).toMatch(/^One day left to object/)
  const undecided = await textOf(recoveryNotice('b@example.com', { ...facts, readyAt: undefined }))
  expect(undecided).toContain('An admin decides')
})

test('an account that an admin froze says so, and long histories are cut', async () => {
  const facts = { ...opened, openedBy: 'admin' as const, readyAt: undefined }
  const many = Array.from({ length: 12 }, (_, index) => `Change ${index}.`)
  const text = await textOf(recoveryNotice('a@example.com', { ...facts, sentences: many }))
  expect(text).toContain('an admin froze your account')
  expect(text).toContain('Change 7. And 4 more.')
  expect(text).not.toContain('Change 8.')
})

test('decisions and the end are told with what to do next', async () => {
  expect(await textOf(recoveryAllowed('a@example.com', link))).toContain('You have seven days.')
  const back = await textOf(recoveryCompleted('a@example.com', { isNow: true }))
  expect(back).toContain('change your password wherever else')
  const lost = await textOf(recoveryCompleted('b@example.com', { isNow: false }))
  expect(lost).toContain('This email does not belong to the account any more')
  const facts = { isOpener: false, isCurrent: true }
  const kept = await textOf(recoveryRejected('b@example.com', facts))
  expect(kept).toContain('You can sign in again.')
  expect(kept).toContain('works for seven more days')
  const used = await textOf(recoveryRejected('a@example.com', { isOpener: true, isCurrent: false }))
  expect(used).not.toContain('seven more days')
})
