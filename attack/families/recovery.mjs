import { linksTo } from '../support/outbox.mjs'
import { codeOf, newVisitor } from '../support/visitor.mjs'
import { control, verdict } from '../verdict.mjs'

const password = 'the words of the owner'

export const recovery = [
  {
    name: 'a thief who changes the email and links an account',
    bypass: 'After the recovery the thief still has a way in.',
    run: attackEmailAndAccount,
  },
  {
    name: "the thief's mailbox after the owner has changed the email back",
    bypass: 'A mailbox that the account has left takes it over.',
    run: attackAfterReturn,
  },
  {
    name: 'a thief who adds a second factor',
    bypass: 'The factor of a thief is permanent.',
    run: attackWithFactor,
  },
  {
    name: 'a mailbox that the owner has left',
    bypass: 'An old mailbox gets around the second factor.',
    full: true,
    run: attackFromOldMailbox,
  },
]

/** Two notices went to the owner. The older link has to undo both changes. */
async function attackEmailAndAccount(target) {
  const own = target.requireOwnServer()
  const { owner, thief, email } = await newVictim(target, 'linked')
  const stolen = 'linked-thief@example.com'
  await linkAccount(thief)
  await changeEmail(own, thief, stolen)
  control((await thief.user())?.email === stolen, 'a fresh session changes the email')
  const [link] = await linksTo(own.outbox, email, '/recover', 2)
  control(
    (await owner.act('openRecovery', { token: link })) === 'done',
    'the link opens a recovery',
  )
  const evidence = []
  if (await thief.user()) evidence.push('The session of the thief lives on.')
  if ((await thief.act('requestEmailChange', { email })) === 'done') {
    evidence.push('The thief changes the email while the account is frozen.')
  }
  control(await completes(owner, link), 'the older password completes the recovery')
  control((await owner.user())?.email === email, 'the owner is signed in with the former email')
  const signedIn = await linkAccount(newVisitor(target))
  if ((await signedIn.user())?.id === (await owner.user()).id) {
    evidence.push('The account of the thief is still linked.')
  }
  return verdict(3, evidence)
}

async function attackAfterReturn(target) {
  const own = target.requireOwnServer()
  const { owner, thief, email } = await newVictim(target, 'returned')
  const stolen = 'returned-thief@example.com'
  await changeEmail(own, thief, stolen)
  await owner.signIn(stolen, password)
  await changeEmail(own, owner, email)
  control((await owner.user())?.email === email, 'the owner changes the email back')
  // Both notices are sent in the order of the changes.
  await linksTo(own.outbox, email, '/recover', 1)
  const links = await linksTo(own.outbox, stolen, '/recover', 0)
  const evidence = []
  for (const token of links) {
    const mailbox = newVisitor(target)
    await mailbox.act('openRecovery', { token })
    if (await completes(mailbox, token))
      evidence.push('The mailbox of the thief takes the account.')
  }
  if (!(await owner.user())) evidence.push('The mailbox of the thief has ended the session.')
  return verdict(2, evidence)
}

async function attackWithFactor(target) {
  const own = target.requireOwnServer()
  const { owner, thief, email } = await newVictim(target, 'factor')
  await addApp(thief)
  control(
    (await owner.signIn(email, password)) === 'second_factor_required',
    'a factor is asked for',
  )
  const [link] = await linksTo(own.outbox, email, '/recover', 1)
  await owner.act('openRecovery', { token: link })
  control(await completes(owner, link), 'the older password completes the recovery')
  const evidence = []
  if (!(await owner.user())) evidence.push('The factor of the thief is still asked for.')
  if (await thief.user()) evidence.push('The session of the thief lives on.')
  return verdict(2, evidence)
}

async function attackFromOldMailbox(target) {
  const own = target.requireOwnServer()
  const { owner, email } = await newVictim(target, 'former')
  await addApp(owner)
  await own.changeDatabase((database) =>
    database.query(`update account_changes set at = at - interval '40 days',
      delivered_at = delivered_at - interval '40 days', ends_at = ends_at - interval '40 days'`),
  )
  await changeEmail(own, owner, 'former-new@example.com')
  const [, ...links] = await linksTo(own.outbox, email, '/recover', 2)
  const reader = newVisitor(target)
  const evidence = []
  for (const token of links) {
    control((await reader.act('openRecovery', { token })) === 'done', 'the link opens a recovery')
    if (await completes(reader, token, 'a guess')) evidence.push('The old mailbox does not wait.')
  }
  await own.changeDatabase((database) =>
    database.query(`update recoveries set opened_at = opened_at - interval '73 hours',
      ready_at = ready_at - interval '73 hours'`),
  )
  const completed = await Promise.all(links.map((token) => completes(reader, token, 'a guess')))
  control(completed.includes(true), 'the mailbox gets the email back after the wait')
  if (await reader.user()) evidence.push('The old mailbox has a session without the factor.')
  return verdict(links.length + 1, evidence)
}

/** A new user with a password, and a thief who has a fresh session of theirs. */
async function newVictim(target, name) {
  const { outbox } = target.requireOwnServer()
  const email = `${name}@example.com`
  const owner = newVisitor(target)
  await owner.act('requestSignUp', { email })
  const [token] = await linksTo(outbox, email, '/verify', 1)
  const fields = { purpose: 'verify_email', token, name: 'Victim', password }
  control((await owner.act('createAccount', fields)) === 'done', 'a user signs up')
  const thief = newVisitor(target)
  control((await thief.signIn(email, password)) === 'done', 'the thief has a session')
  return { owner, thief, email }
}

async function changeEmail({ outbox }, visitor, email) {
  const earlier = await linksTo(outbox, email, '/account/email/confirm', 0)
  await visitor.act('requestEmailChange', { email })
  const links = await linksTo(outbox, email, '/account/email/confirm', earlier.length + 1)
  await visitor.act('confirmEmailChange', { token: links.at(-1) })
}

/** Links the account at the provider, or signs in with it. */
async function linkAccount(visitor) {
  const started = await visitor.visit('/api/auth/signin/github', {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ callbackUrl: '/account' }),
  })
  const state = new URL(started.headers.get('location')).searchParams.get('state')
  const query = new URLSearchParams({ code: 'attack', ...(state && { state }) })
  await visitor.visit(`/api/auth/callback/github?${query}`, { headers: { accept: 'text/html' } })
  return visitor
}

async function addApp(visitor) {
  const proof = { change: 'add_factor', currentPassword: password, callbackUrl: '/account' }
  await visitor.act('proveWithPassword', proof)
  await visitor.act('startAuthenticatorApp', { purpose: 'set_up' })
  const [, key] = /secret=([A-Z2-7]+)/.exec(await visitor.html('/account/security/app'))
  const added = await visitor.act('confirmAuthenticatorApp', { code: codeOf(key) })
  control(added === 'done', 'the password adds the first factor')
}

async function completes(visitor, token, currentPassword = password) {
  await visitor.act('proveRecoveryPassword', { token, currentPassword })
  const fields = { token, password: 'other words of the owner', keep: [] }
  return (await visitor.act('completeRecovery', fields)) === 'done'
}
