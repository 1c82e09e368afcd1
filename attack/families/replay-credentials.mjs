import { createHash } from 'node:crypto'
import { tryAll } from '../verdict.mjs'

export async function attackTwoCredentials(target) {
  const viewer = await target.signIn('viewer')
  const editor = await target.signIn('editor')
  const [name] = viewer.cookie.split('=')
  const cookies = [
    `${viewer.cookie}; ${editor.cookie}`,
    `${editor.cookie}; ${viewer.cookie}`,
    `${name}=x; ${editor.cookie}`,
    `${viewer.cookie},${editor.cookie}`,
    `${viewer.cookie};${name.toUpperCase()}=${editor.token}`,
    `${name}="${viewer.token}"; ${editor.cookie}`,
    ` ${name} = ${viewer.token} ; ${editor.cookie}`,
    `${name}=${viewer.token}%20; ${editor.cookie}`,
    `${encodeURIComponent(name).replace('.', '%2E')}=${viewer.token}; ${editor.cookie}`,
    `__Host-${name}=${viewer.token}; ${editor.cookie}`,
    `${name}.0=${viewer.token}; ${editor.cookie}`,
  ]
  const cases = cookies.flatMap((cookie) => [
    { cookie },
    { cookie, authorization: `Bearer ${viewer.token}` },
    { cookie, authorization: 'Bearer x' },
  ])
  return tryAll(cases, async (headers) => {
    const api = (await (await target.send('/api/auth/session', { headers })).json())?.user.email
    const text = await (await target.send('/account', { headers })).text()
    const page = [viewer, editor].find(({ email }) => text.includes(email))?.email
    return api === page ? undefined : `${JSON.stringify(headers)}: API ${api}, page ${page}`
  })
}

export async function attackTokens(target) {
  const caller = await target.signIn('viewer')
  const { token } = caller
  const [name] = caller.cookie.split('=')
  const digest = (encoding) => createHash('sha256').update(token).digest(encoding)
  const tokens = [
    '',
    'null',
    'undefined',
    'true',
    '0',
    caller.id,
    caller.email,
    token.slice(0, -1),
    `${token}A`,
    token.toLowerCase(),
    token.split('').reverse().join(''),
    `${token}%00`,
    digest('hex'),
    digest('base64'),
    digest('base64url'),
    `\\x${digest('hex')}`,
    "' or 1=1 --",
    '%',
    '_'.repeat(43),
    'A'.repeat(43),
    'A'.repeat(8000),
    'eyJhbGciOiJub25lIn0.eyJyb2xlIjoiYWRtaW4ifQ.',
    '[object Object]',
    '../../etc/passwd',
  ]
  const schemes = ['Bearer ', 'bearer  ', 'Basic ', 'Token ', '']
  const cases = tokens.flatMap((value) => [
    { cookie: `${name}=${value}` },
    ...schemes.map((scheme) => ({ authorization: `${scheme}${value}` })),
  ])
  return tryAll(cases, async (headers) => {
    const response = await target.send('/api/auth/session', { headers })
    const text = await response.text()
    return text === 'null' ? undefined : `${JSON.stringify(headers).slice(0, 100)}: ${text}`
  })
}
