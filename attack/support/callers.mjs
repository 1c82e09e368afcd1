import { newIp } from './send.mjs'

export const ranks = { anonymous: 0, viewer: 1, editor: 2, admin: 3 }

/** Everyone who is not an admin, also those who say they are. */
export async function createCallers(target) {
  const viewer = await target.signIn('viewer')
  const editor = await target.signIn('editor')
  const signedOut = await target.signIn('admin')
  await target.send('/api/auth/signout', { method: 'POST', caller: signedOut })
  const [name] = signedOut.cookie.split('=')
  const anonymous = (description, cookie) => ({
    description,
    cookie,
    role: 'anonymous',
    ip: newIp(),
  })
  return [
    anonymous('anonymous', ''),
    anonymous('a session that was signed out', signedOut.cookie),
    anonymous('a made-up session', `${name}=${'A'.repeat(43)}`),
    anonymous('a session in JSON', `${name}={"user":{"role":"admin"}}`),
    { ...viewer, description: 'a viewer' },
    { ...editor, description: 'an editor' },
  ]
}
