import { actionInputs } from '../payloads/action-inputs.mjs'
import { encodings, outcomeOf, sendAction } from '../support/actions.mjs'
import { createArticle } from '../support/articles.mjs'
import { sessionFrom } from '../support/sessions.mjs'
import { snapshot } from '../support/snapshot.mjs'
import { control, tryAll, verdict } from '../verdict.mjs'

const bypass = 'A stolen cookie is enough to take over an account for good.'

export const stolenSession = [
  { name: 'with only the cookie of an old sign-in', bypass, full: true, run: attackOldSession },
  { name: 'with only the cookie of a fresh sign-in', bypass, run: attackFreshSession },
]

/** The actions that a session without a recent sign-in must not run. */
const viewerActions = ['unlinkAccount', 'changePassword', 'deleteAccount']
const adminActions = [
  'updateUserRole',
  'updateUserRoles',
  'deleteUser',
  'revokeUserSession',
  'revokeAllUserSessions',
  'revokeSessionsOfUsers',
  'inviteUsers',
]
const exports = ['/api/account/data.json', '/api/admin/audit.csv', '/api/admin/users.csv']

async function attackOldSession(target) {
  const own = target.requireOwnServer()
  const actions = target.requireActions()
  const stolen = await target.signIn('viewer')
  const stolenAdmin = await target.signIn('admin')
  const expired = await target.signIn('admin')
  await own.changeDatabase(async (database) => {
    await database.query("update sessions set authenticated_at = now() - interval '11 minutes'")
    const cutoff = "now() - interval '1 second'"
    await database.query(
      `update sessions set expires_at = ${cutoff} where id = (select id from sessions
       where user_id = $1 order by created_at desc limit 1)`,
      [expired.id],
    )
  })
  const admin = await target.signIn('admin')
  const victim = await target.signIn('editor')
  const article = await createArticle(target, victim, { title: 'Stolen', body: '' })
  await requireRecent(target, admin)
  const before = await snapshot(target, { admin, victim, article })
  const results = [
    await attackActions(target, actions, {
      caller: stolen,
      victim: stolen,
      names: viewerActions,
      article,
    }),
    await attackActions(target, actions, {
      caller: stolenAdmin,
      victim,
      names: adminActions,
      article,
    }),
    await attackDownloads(target, { stolen, stolenAdmin, expired }),
    await attackLinking(target, stolen),
  ]
  const evidence = results.flatMap((result) => result.evidence)
  const after = await snapshot(target, { admin, victim, article })
  if (after !== before) evidence.push(`The data changed:\n${before}\n${after}`)
  return verdict(
    results.reduce((sum, { cases }) => sum + cases, 0),
    evidence,
  )
}

/** The actions that need a proof of their own, however recent the sign-in is. */
const provenActions = [
  'startAuthenticatorApp',
  'confirmAuthenticatorApp',
  'removeAuthenticatorApp',
  'createRecoveryCodes',
  'startPasskey',
  'addPasskey',
  'removePasskey',
  'deleteAccount',
]

async function attackFreshSession(target) {
  const actions = target.requireActions()
  const stolen = await target.signIn('viewer')
  const names = provenActions.filter((name) => actions.has(name))
  const result = await attackActions(target, actions, {
    caller: stolen,
    victim: stolen,
    names,
    article: crypto.randomUUID(),
  })
  await requireProof(target, actions, stolen)
  return verdict(result.cases, result.evidence)
}

/** The owner, who gives the proof, may do it. The proof ends the stolen session. */
async function requireProof(target, actions, stolen) {
  const start = { purpose: 'set_up' }
  const proof = { change: 'add_factor', currentPassword: stolen.password, callbackUrl: '/account' }
  const given = await sendAction(target.url, actions.get('proveWithPassword'), proof, {
    caller: stolen,
  })
  const owner = { ...stolen, ...sessionFrom(given, stolen.ip) }
  const startBy = async (caller) =>
    outcomeOf(await sendAction(target.url, actions.get('startAuthenticatorApp'), start, { caller }))
  control((await startBy(owner)) === 'done', 'a proof starts the setup of a factor')
  control((await startBy(stolen)) !== 'done', 'a proof ends the stolen session')
}

async function requireRecent(target, admin) {
  for (const path of exports) {
    const { status } = await target.send(path, { caller: admin })
    control(status === 200, `a recent sign-in gets ${path}`)
  }
}

/** Without the password, and with a wrong one. */
async function attackActions(target, actions, { caller, victim, names, article }) {
  const inputs = actionInputs({ victim, article, caller })
  const cases = names.flatMap((name) =>
    Object.keys(encodings).flatMap((encoding) =>
      [undefined, 'a wrong password'].map((currentPassword) => ({
        name,
        encoding,
        currentPassword,
      })),
    ),
  )
  return tryAll(
    cases.filter(({ currentPassword }, index) => !currentPassword || index % 7 === 0),
    async ({ name, encoding, currentPassword }) => {
      const { currentPassword: _, ...fields } = inputs[name]
      const sent = currentPassword ? { ...fields, currentPassword } : fields
      const response = await sendAction(target.url, actions.get(name), sent, { caller, encoding })
      const outcome = await outcomeOf(response)
      return outcome === 'done' ? `${name} by ${encoding} succeeded` : undefined
    },
    1,
  )
}

async function attackDownloads(target, { stolen, stolenAdmin, expired }) {
  const expected = [
    ['/api/account/data.json', stolen, 'reauthentication_required'],
    ['/api/account/data.json', stolenAdmin, 'reauthentication_required'],
    ['/api/admin/audit.csv', stolenAdmin, 'reauthentication_required'],
    ['/api/admin/users.csv', stolenAdmin, 'reauthentication_required'],
    ['/api/account/data.json', expired, 'unauthenticated'],
    ['/api/demo/admin/users', expired, 'unauthenticated'],
  ]
  return tryAll(expected, async ([path, caller, code]) => {
    const response = await target.send(path, { caller })
    const text = await response.text()
    return text.includes(`"${code}"`)
      ? undefined
      : `${path}: ${response.status} ${text.slice(0, 200)}`
  })
}

async function attackLinking(target, caller) {
  const bodies = [{ callbackUrl: '/account' }, { callbackUrl: '/account', link: 'true' }, {}]
  return tryAll(bodies, async (body) => {
    const response = await target.send('/api/auth/signin/github', {
      method: 'POST',
      caller,
      body: new URLSearchParams(body),
    })
    const location = response.headers.get('location') ?? ''
    // A flow may start to confirm the identity with a linked account; the callback refuses to link.
    return location.includes('/login/oauth/authorize') ? `a flow starts: ${location}` : undefined
  })
}
