import { createHmac } from 'node:crypto'
import { outcomeOf, sendAction } from './actions.mjs'
import { json, newIp, send } from './send.mjs'

/** A browser of its own: it keeps the cookies that the server sets. */
export function newVisitor(target) {
  const { url } = target
  const actions = target.requireActions()
  const cookies = new Map()
  const ip = newIp()

  function keep(response) {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  const caller = () => ({ ip, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') })
  const visit = async (path, init) => keep(await send(url, path, { ...init, caller: caller() }))

  return {
    visit,
    /** `done`, or why the action refused. */
    async act(name, fields) {
      const action = actions.get(name)
      return outcomeOf(keep(await sendAction(url, action, fields, { caller: caller() })))
    },
    html: async (path) => (await visit(path)).text(),
    async signIn(email, password) {
      const response = await visit('/api/auth/signin', json({ email, password, redirect: false }))
      return response.status === 200 ? 'done' : (await response.json()).code
    },
    /** The user of the session, or undefined. */
    user: async () => (await (await visit('/api/auth/session')).json())?.user,
  }
}

/** The code that an authenticator app shows (RFC 6238), a number of steps from now. */
export function codeOf(base32, steps = 0) {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const digest = createHmac('sha1', fromBase32(base32)).update(counter).digest()
  const number = digest.readUInt32BE(digest.at(-1) & 0xf) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

function fromBase32(text) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0'))
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)
      .map((byte) => Number.parseInt(byte, 2)),
  )
}
