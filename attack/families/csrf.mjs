import { bodies, foreignHeaders } from '../payloads/foreign-requests.mjs'
import { encodings, sendAction } from '../support/actions.mjs'
import { json } from '../support/send.mjs'
import { sessionFrom, sessionOf } from '../support/sessions.mjs'
import { control, tryAll } from '../verdict.mjs'

export const csrf = [
  {
    name: 'sign-out',
    bypass: 'Another site signs the user out.',
    run: attackSignOut,
  },
  {
    name: 'sign-in',
    bypass: 'Another site signs the user in to an account of the attacker.',
    run: attackSignIn,
  },
  {
    name: 'server actions',
    bypass: 'Another site changes data in the name of the user.',
    run: attackActions,
  },
  {
    name: 'OAuth start',
    bypass: 'Another site starts to link an account in the name of the user.',
    run: attackOAuthStart,
  },
  {
    name: 'method override',
    bypass: 'A GET request, which other sites can cause, changes data.',
    run: attackMethodOverride,
  },
  {
    name: 'CORS',
    bypass: 'Another site reads a response that contains data of the user.',
    run: attackCors,
  },
]

const described = (headers) => JSON.stringify(headers)

async function attackSignOut(target) {
  const caller = await target.signIn('viewer')
  const cases = foreignHeaders(target.url).flatMap((foreign) =>
    bodies.map(({ body, headers }) => ({ body, headers: { ...headers, ...foreign } })),
  )
  const result = await tryAll(target.sample(cases, 65), async ({ body, headers }) => {
    const response = await target.send('/api/auth/signout', {
      method: 'POST',
      caller,
      body,
      headers,
    })
    if (response.status === 403) return undefined
    return (await sessionOf(target.url, caller)) ? undefined : `${described(headers)} signed out`
  })
  const alive = await sessionOf(target.url, caller)
  if (!alive) result.evidence.push('The session has ended.')
  await target.send('/api/auth/signout', { method: 'POST', caller })
  control(!(await sessionOf(target.url, caller)), 'the application itself signs out')
  return result
}

async function attackSignIn(target) {
  const { email, password } = target.account('viewer')
  const fields = { email, password }
  const forms = [
    json({ ...fields, redirect: false }),
    { method: 'POST', body: new URLSearchParams(fields) },
    { method: 'POST', body: JSON.stringify(fields), headers: { 'content-type': 'text/plain' } },
  ]
  const cases = foreignHeaders(target.url).flatMap((foreign) =>
    ['/api/auth/signin', '/api/auth/callback/credentials'].flatMap((path) =>
      forms.map((form) => ({ path, form, foreign })),
    ),
  )
  return tryAll(target.sample(cases, 52), async ({ path, form, foreign }) => {
    const headers = { ...form.headers, ...foreign }
    const response = await target.send(path, { ...form, headers })
    return sessionFrom(response) && `${path} with ${described(headers)} signed in`
  })
}

async function attackActions(target) {
  const action = target.requireActions().get('updateProfile')
  const caller = await target.signIn('viewer')
  const fields = { name: 'Changed by another site' }
  const nameNow = async () => (await sessionOf(target.url, caller))?.user.name
  const cases = foreignHeaders(target.url).flatMap((headers) =>
    Object.keys(encodings).map((encoding) => ({ encoding, headers })),
  )
  const result = await tryAll(target.sample(cases, 60), async ({ encoding, headers }) => {
    const response = await sendAction(target.url, action, fields, { caller, encoding, headers })
    if (response.status === 403) return undefined
    return (await nameNow()) === fields.name ? `${encoding} with ${described(headers)}` : undefined
  })
  if ((await nameNow()) !== caller.name) result.evidence.push(`The name is ${await nameNow()}.`)
  await sendAction(target.url, action, { name: 'Changed by the control' }, { caller })
  const changed = await nameNow()
  await sendAction(target.url, action, { name: caller.name }, { caller })
  control(changed === 'Changed by the control', 'the application itself changes the name')
  return result
}

async function attackOAuthStart(target) {
  const { providerUrl } = target.requireOwnServer()
  const caller = await target.signIn('viewer')
  const start = (headers) =>
    target.send('/api/auth/signin/github', {
      method: 'POST',
      caller,
      body: new URLSearchParams({ callbackUrl: '/account' }),
      headers,
    })
  const atProvider = (response) => response.headers.get('location')?.startsWith(providerUrl)
  control(atProvider(await start({})), 'the application itself starts a flow')
  return tryAll(foreignHeaders(target.url), async (headers) =>
    atProvider(await start(headers)) ? `${described(headers)} starts a flow` : undefined,
  )
}

async function attackMethodOverride(target) {
  const caller = await target.signIn('viewer')
  const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override', '_method']
  const cases = overrides.flatMap((name) =>
    ['POST', 'post', 'DELETE'].flatMap((value) =>
      ['GET', 'HEAD', 'OPTIONS'].map((method) => ({ name, value, method })),
    ),
  )
  return tryAll(cases, async ({ name, value, method }) => {
    const path = `/api/auth/signout?${name}=${value}`
    const headers = { 'sec-fetch-site': 'cross-site', ...(name !== '_method' && { [name]: value }) }
    await target.send(path, { method, caller, headers })
    return (await sessionOf(target.url, caller)) ? undefined : `${method} ${path} signed out`
  })
}

async function attackCors(target) {
  const caller = await target.signIn('viewer').catch(() => undefined)
  const paths = ['/api/auth/session', '/api/account/data.json', '/api/auth/csrf', '/account']
  const origins = foreignHeaders(target.url).flatMap(({ origin }) => origin ?? [])
  const cases = paths.flatMap((path) =>
    origins.flatMap((origin) => ['GET', 'OPTIONS'].map((method) => ({ path, origin, method }))),
  )
  return tryAll(target.sample(cases, 60), async ({ path, origin, method }) => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const response = await target.send(path, { method, caller, headers })
    const allowed = response.headers.get('access-control-allow-origin')
    return allowed ? `${method} ${path} allows ${allowed} to ${origin}` : undefined
  })
}
