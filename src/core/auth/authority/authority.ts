import 'server-only'
import { randomBytes } from 'node:crypto'
import { AuthorityCache } from '@/core/auth/authority/cache'
import type { Known } from '@/core/auth/authority/known'
import { Lease } from '@/core/auth/authority/lease'
import { readKnown } from '@/core/auth/authority/read-known'
import { afterCommit } from '@/core/db/after-commit'
import { connection } from '@/core/db/client'
import type { Env } from '@/core/env'
import { log } from '@/core/log'
import { singleton } from '@/core/singleton'

const channel = 'plinth_authority'
const most = 100_000

type State = {
  cache: AuthorityCache
  /** On the embedded database every change is made, and heard, in this process. */
  always: boolean
  lease: Lease | undefined
  stop: () => Promise<void>
  /** How often in a row listening was begun without a beat being heard, and when it may be again. */
  attempts: number
  nextAttempt: number
}

const state = singleton(
  'authority',
  (): State => ({
    cache: new AuthorityCache(most),
    always: false,
    lease: undefined,
    stop: async () => {},
    attempts: 0,
    nextAttempt: Number.NEGATIVE_INFINITY,
  }),
)

/** From now on sessions are remembered, as long as the database can say what became of them. */
export async function startAuthority(settings: Env): Promise<void> {
  if (settings.AUTHORITY_CACHE === 'off') return
  if (settings.embedded) {
    state.stop = await connection().listen(channel, { heard: hear, listening: () => {} })
    state.always = true
  } else {
    state.lease = new Lease(randomBytes(6).toString('hex'), {
      send: (message) => connection().query(`select pg_notify('${channel}', $1)`, [message]),
      listenAgain,
    })
    afterCommit(catchUp)
    listenAgain()
  }
}

export async function stopAuthority(): Promise<void> {
  afterCommit(undefined)
  state.lease?.end()
  state.lease = undefined
  state.always = false
  state.cache.forgetAll()
  const { stop } = state
  state.stop = async () => {}
  await stop().catch(() => {})
}

/** What is known of a token and can be believed now, without asking anybody. */
export function recall(key: string, now: number): Known | undefined {
  if (!state.always && !state.lease?.holds(now)) return undefined
  return state.cache.get(key, now)
}

/** What the database says of it, remembered for the next time. */
export async function lookUp(key: string): Promise<Known | undefined> {
  const { generation } = state.cache
  const known = await readKnown(key)
  if (known && (state.always || state.lease)) state.cache.put(key, known, generation)
  return known
}

/** What a transaction of ours changed holds here before anybody is told that it was made. */
async function catchUp(): Promise<void> {
  if (state.cache.size === 0 || !state.lease) return
  if (!(await state.lease.catchUp())) state.cache.forgetAll()
}

function hear(message: string): void {
  const rest = message.slice(1)
  if (message[0] === 'b') {
    if (state.lease?.hear(message)) state.attempts = 0
  } else if (message[0] === 's') state.cache.forgetSession(rest)
  else if (message[0] === 'u') state.cache.forgetPerson(rest)
  else state.cache.forgetAll()
}

/** Where no beat comes back, such as through a pooler, it is tried less and less often. */
function listenAgain(): void {
  const now = performance.now()
  if (now < state.nextAttempt) return
  state.attempts += 1
  state.nextAttempt = now + Math.min(1_000 * 2 ** state.attempts, 30_000)
  if (state.attempts === 4) {
    log().warn(
      'nothing is heard from the database, so every request asks it; behind a pooler set DATABASE_DIRECT_URL',
    )
  }
  const { stop } = state
  state.cache.forgetAll()
  stop()
    .catch(() => {})
    .then(() => connection().listen(channel, { heard: hear, listening }))
    .then((end) => {
      state.stop = end
    })
    .catch(() => {})
}

/** What was announced before is not known, so what is remembered is not either. */
function listening(): void {
  state.cache.forgetAll()
}
