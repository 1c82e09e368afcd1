import { expect, test } from 'vitest'
import { type DescribedEvent, describeEvent, plainSentence } from '../audit/event-sentence'

const ada = { name: 'Ada' }
const grace = { name: 'Grace' }

function event(action: string, more: Partial<DescribedEvent> = {}): DescribedEvent {
  return { action, outcome: 'success', actorId: 'a', targetId: 'g', details: {}, ...more }
}

const sentence = (action: string, more?: Partial<DescribedEvent>) =>
  plainSentence({ ...event(action, more), actor: ada, target: grace })

test.each([
  [
    'update_user_role',
    { details: { from: 'viewer', role: 'editor' } },
    'Ada changed the role of Grace from viewer to editor',
  ],
  // As recorded by earlier versions.
  ['update_user_role', { details: { role: 'editor' } }, 'Ada changed the role of Grace to editor'],
  [
    'update_user_role',
    { outcome: 'denied', details: { reason: 'role' } },
    'Ada was not allowed to change the role of Grace',
  ],
  ['delete_user', { outcome: 'failure' }, 'Ada failed to delete the account of Grace'],
  ['sign_in', { details: { by: 'password' } }, 'Ada signed in with a password'],
  ['sign_in', { details: { by: 'github' } }, 'Ada signed in with github'],
  ['sign_in', { outcome: 'failure' }, 'Ada failed to sign in as Grace'],
  [
    'start_sign_in',
    { details: { by: 'password' } },
    'Ada began to sign in as Grace with a password',
  ],
  [
    'prove_with_app',
    { details: { change: 'add_factor' } },
    'Ada proved a change with an authenticator app',
  ],
  ['open_recovery', {}, 'Ada froze the account of Grace with a link by mail'],
  ['complete_recovery', {}, 'Ada took back the account of Grace'],
  ['open_user_recovery', {}, 'Ada froze the account of Grace'],
  [
    'allow_recovery',
    { details: { email: 'earlier' } },
    'Ada let the reader of the earlier email take back the account of Grace',
  ],
  ['reject_recovery', {}, 'Ada rejected the recovery of Grace'],
  ['abandon_recovery', {}, 'Ada did not complete the recovery of Grace in time'],
  [
    'prove_to_recover',
    { details: { with: 'codes' } },
    'Ada proved with a recovery code that the account of Grace is theirs',
  ],
  [
    'prove_to_recover',
    { outcome: 'failure', targetId: undefined, details: { with: 'app' } },
    'Ada failed to prove with an authenticator app that an account is theirs',
  ],
  ['invite_user', { details: { count: 1, role: 'admin' } }, 'Ada sent an invitation as admin'],
  ['invite_user', { details: { count: 3, role: 'viewer' } }, 'Ada sent 3 invitations as viewer'],
  [
    'update_user_roles',
    { details: { count: 2, role: 'editor' } },
    'Ada changed the role of 2 selected users to editor',
  ],
  // Unknown ones, of other modules or versions.
  ['publish_article', {}, 'Ada published an article'],
  ['create_article', { outcome: 'failure' }, 'Ada failed to create an article'],
  ['copy_notes', {}, 'Ada copied notes'],
  ['send_note', {}, 'Ada sent a note'],
  ['view_users', { outcome: 'denied' }, 'Ada was not allowed to view users'],
  ['constructor', {}, 'Ada: constructor'],
])('%s %o reads: %s', (action, more, expected) => {
  expect(sentence(action, more)).toBe(expected)
})

test('keeps the details that the sentence does not say', () => {
  const details = { from: 'viewer', role: 'editor', note: 'x' }
  expect(describeEvent(event('update_user_role', { details })).details).toBe('note: x')
  const denied = { outcome: 'denied', details: { reason: 'role' } }
  expect(describeEvent(event('update_user_role', denied)).details).toBe('reason: role')
})

test('names neither an anonymous nor a deleted user', () => {
  const deleted = { actor: undefined, target: undefined }
  const failed = event('sign_in', { actorId: undefined, outcome: 'failure' })
  expect(plainSentence({ ...failed, ...deleted })).toBe(
    'Someone failed to sign in as a deleted user',
  )
  expect(plainSentence({ ...event('delete_user'), ...deleted })).toBe(
    'A deleted user deleted the account of a deleted user',
  )
})

test('a name is not read as a pattern', () => {
  const named = { ...event('delete_user'), actor: { name: '$& {target}' }, target: grace }
  expect(plainSentence(named)).toContain('$&')
})
