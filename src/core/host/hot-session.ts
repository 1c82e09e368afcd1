import { lookUp, recall } from '@/core/auth/authority/authority'
import type { Known } from '@/core/auth/authority/known'
import { cookieNames } from '@/core/auth/cookie-names'
import { isToken, keyOf } from '@/core/auth/token'
import type { HotAnswer } from '@/core/host/hot-answers'
import type { PlainRequest } from '@/core/host/plain-request'
import { whenHealthy } from '@/core/http/health'

/**
 * Who is signed in, for whoever brings one token and nothing to be doubted: one hash, one look into
 * memory or else one query, and a body that is ready as text. A token that is not alive, and a
 * session that is due to be extended, are left to the interface.
 */
export function hotSession(authUrl: string): HotAnswer {
  const { session: name } = cookieNames(authUrl)
  const named = `${name}=`

  return (plain, start, say, giveUp) => {
    if (plain.authorization === undefined && plain.cookie === undefined) {
      // "Signed out" is not said without a database.
      return whenHealthy(start, () => say('null'), giveUp)
    }
    const token = onlyToken(plain, name, named)
    if (token === undefined) return false
    const key = keyOf(token)
    const known = recall(key, start)
    if (known) return answerWith(known, start, say)
    // Only now: what is remembered is a token.
    if (!isToken(token)) return false
    lookUp(key).then(
      (found) => {
        if (!found || !answerWith(found, start, say)) giveUp()
      },
      // The interface meets the same fault, and has a name for it.
      () => giveUp(),
    )
    return true
  }
}

function answerWith(known: Known, now: number, say: Parameters<HotAnswer>[2]): boolean {
  if (now >= known.extendFrom) return false
  say(known.body, known.userId)
  return true
}

/** The token, if it is plain which one counts: there is one way to read the headers, and one token. */
function onlyToken(
  { authorization, cookie }: PlainRequest,
  name: string,
  named: string,
): string | undefined {
  if (authorization !== undefined) {
    if (cookie?.includes(name)) return undefined
    return authorization.startsWith('Bearer ') ? authorization.slice(7) : undefined
  }
  if (cookie === undefined) return undefined
  const place = cookie.indexOf(named)
  if (place === -1 || (place > 0 && !cookie.startsWith('; ', place - 2))) return undefined
  const from = place + named.length
  const end = cookie.indexOf(';', from)
  // Twice, or within another's name or value: that is for a parser to tell.
  if (cookie.includes(name, from)) return undefined
  return cookie.slice(from, end === -1 ? undefined : end)
}
