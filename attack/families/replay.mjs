import { createHash } from 'node:crypto'
import { sendAction } from '../support/actions.mjs'
import { linkTo } from '../support/outbox.mjs'
import { sessionFrom, sessionOf, signIn } from '../support/sessions.mjs'
import { control, tryAll, verdict } from '../verdict.mjs'
import { attackTokens, attackTwoCredentials } from './replay-credentials.mjs'

export const replay = [
  {
    name: 'downloads by images and frames',
    bypass: 'A page makes the browser of its reader run an export.',
    run: attackDownloads,
  },
  {
    name: 'sessions that have ended',
    bypass: 'A token works after sign-out or after a new password.',
    run: attackEndedSessions,
  },
  {
    name: 'links that were used',
    bypass: 'A link of a mail works twice, or with another token.',
    run: attackLinks,
  },
  {
    name: 'two credentials',
    bypass: 'The API and the pages believe different sessions of one request.',
    run: attackTwoCredentials,
  },
  {
    name: 'made-up tokens',
    bypass: 'A token that no sign-in has issued is a session.',
    run: attackTokens,
  },
]

const destinations = [
  'image',
  'iframe',
  'frame',
  'embed',
  'object',
  'script',
  'style',
  'video',
  'x',
]

async function attackDownloads(target) {
  const caller = await target.signIn('admin')
  const paths = ['/api/account/data.json', '/api/admin/audit.csv']
  for (const path of paths) {
    const { status } = await target.send(path, { caller })
    control(status === 200, `an admin downloads ${path}`)
  }
  const foreign = [
    ...destinations.map((value) => ({ 'sec-fetch-dest': value, 'sec-fetch-site': 'same-origin' })),
    { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]
  const cases = paths.flatMap((path) =>
    foreign.flatMap((headers) => ['GET', 'HEAD'].map((method) => ({ path, headers, method }))),
  )
  return tryAll(cases, async ({ path, headers, method }) => {
    const { status } = await target.send(path, { caller, headers, method })
    return status < 400 ? `${method} ${path} with ${JSON.stringify(headers)}: ${status}` : undefined
  })
}

async function attackEndedSessions(target) {
  const signedOut = await target.signIn('viewer')
  await target.send('/api/auth/signout', { method: 'POST', caller: signedOut })
  const replaced = await target.signIn('viewer')
  const owner = await signIn(target.url, target.account('viewer'), { previous: replaced })
  const ended = [
    ['after sign-out', signedOut],
    ['after another sign-in in the same browser', replaced],
  ]
  if (target.own) ended.push(...(await changePassword(target)))
  control(await sessionOf(target.url, owner), 'the newest session is live')
  const cases = ended.flatMap(([when, caller]) => [
    { when, caller, headers: {} },
    { when, caller: undefined, headers: { authorization: `Bearer ${caller.token}` } },
  ])
  return tryAll(cases, async ({ when, caller, headers }) => {
    const api = await target.send('/api/auth/session', { caller, headers })
    if ((await api.json()) !== null) return `a session ${when}`
    const page = await target.send('/account', { caller, headers })
    return page.status === 200 ? `the account page ${when}` : undefined
  })
}

/** On our own server only, for a user of its own. */
async function changePassword(target) {
  const actions = target.requireActions()
  const account = {
    email: `new-${crypto.randomUUID()}@example.com`,
    password: 'a few words in a row',
  }
  await sendAction(target.url, actions.get('requestSignUp'), { email: account.email })
  const token = await linkTo(target.own.outbox, account.email)
  const created = { purpose: 'verify_email', token, name: 'New', password: account.password }
  await sendAction(target.url, actions.get('createAccount'), created)
  const other = await signIn(target.url, account)
  const first = await signIn(target.url, account)
  const fields = { currentPassword: account.password, newPassword: 'an entirely different one' }
  const caller = first
  const response = await sendAction(target.url, actions.get('changePassword'), fields, { caller })
  const renewed = { ...first, ...sessionFrom(response, first.ip) }
  control(await sessionOf(target.url, renewed), 'the user changes the password')
  return [
    ['of another browser after a new password', other],
    ['of this browser after a new password', first],
  ]
}

async function attackLinks(target) {
  const own = target.requireOwnServer()
  const actions = target.requireActions()
  const email = `linked-${crypto.randomUUID()}@example.com`
  await sendAction(target.url, actions.get('requestSignUp'), { email })
  const token = await linkTo(own.outbox, email)
  const create = (value, purpose = 'verify_email') => {
    const fields = { purpose, token: value, name: 'Linked', password: 'a few words in a row' }
    return sendAction(target.url, actions.get('createAccount'), fields)
  }
  const reset = (value) => {
    const fields = { token: value, password: 'another few words here', keep: [] }
    return sendAction(target.url, actions.get('resetPassword'), fields)
  }
  const attempts = [
    ['a link to sign up, as one to reset', () => reset(token)],
    ['a link to sign up, as an invitation', () => create(token, 'invitation')],
    ['the hash of the token', () => create(createHash('sha256').update(token).digest('hex'))],
    ['the token in upper case', () => create(token.toUpperCase())],
    ['the token with a space', () => create(` ${token}`)],
    ['an empty token', () => create('')],
    ['a list', () => create([token])],
  ]
  const evidence = []
  const attempt = async ([name, run]) => {
    if (sessionFrom(await run())) evidence.push(`${name} signs in`)
  }
  for (const each of attempts) await attempt(each)
  control(sessionFrom(await create(token)), 'the link itself works')
  await attempt(['a used link', () => create(token)])
  return verdict(attempts.length + 1, evidence)
}
