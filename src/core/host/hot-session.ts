import { lookUp, recall } from '@/core/auth/authority/authority'
import type { Known } from '@/core/auth/authority/cache'
import { cookieNames } from '@/core/auth/cookie-names'
import { laterEnd } from '@/core/auth/sessions'
import { isToken, keyOf } from '@/core/auth/token'
import type { HotAnswer } from '@/core/host/hot-answers'
import type { PlainRequest } from '@/core/host/plain-request'
import { isHealthy } from '@/core/http/health'

/**
 * Who is signed in, for whoever brings one token and nothing to be doubted: one hash, one look into
 * memory or else one query, and a body that is ready as text. A token that is not alive, and a
 * session that is due to be extended, are left to the interface.
 */
export function hotSession(authUrl: string): HotAnswer {
  const { session: name } = cookieNames(authUrl)

  return (plain, start, say, giveUp) => {
    if (plain.authorization === undefined && plain.cookie === undefined) {
      // "Signed out" is not said without a database.
      if (isHealthy(start) !== true) return false
      say('null')
      return true
    }
    const token = onlyToken(plain, name)
    if (token === undefined) return false
    const key = keyOf(token)
    const known = recall(key, start)
    if (known) return answerWith(known, say)
    lookUp(key).then(
      (found) => {
        if (!found || !answerWith(found, say)) giveUp()
      },
      // The interface meets the same fault, and has a name for it.
      () => giveUp(),
    )
    return true
  }
}

function answerWith(known: Known, say: Parameters<HotAnswer>[2]): boolean {
  if (laterEnd(known.session, Date.now()) !== undefined) return false
  say(known.body, known.session.user.id)
  return true
}

/** The token, if it is plain which one counts: there is one way to read the headers, and one token. */
function onlyToken({ authorization, cookie }: PlainRequest, name: string): string | undefined {
  if (authorization !== undefined) {
    if (cookie?.includes(name)) return undefined
    const token = authorization.startsWith('Bearer ') ? authorization.slice(7) : undefined
    return isToken(token) ? token : undefined
  }
  const place = cookie?.indexOf(`${name}=`) ?? -1
  if (cookie === undefined || place === -1) return undefined
  const before = cookie.slice(0, place)
  if (before !== '' && !before.endsWith('; ')) return undefined
  const from = place + name.length + 1
  const end = cookie.indexOf(';', from)
  const token = cookie.slice(from, end === -1 ? undefined : end)
  // Twice, or within another's name or value: that is for a parser to tell.
  if (cookie.includes(name, from)) return undefined
  return isToken(token) ? token : undefined
}
