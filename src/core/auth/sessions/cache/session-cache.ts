import 'server-only'
import { CacheEntries } from '@/core/auth/sessions/cache/entries'
import { type CachedSession, readSession } from '@/core/auth/sessions/read'
import { cacheKey } from '@/core/auth/sessions/token'
import type { Env } from '@/core/config/env'
import { singleton } from '@/core/config/singleton'
import { ChangeLog } from '@/core/db/change-log'
import { afterCommit, connection } from '@/core/db/client'
import type { Session } from '@/core/http/scope'

const maxEntries = 100_000

type State = {
  entries: CacheEntries
  /** On the embedded database every change is made, and received, in this process. */
  alwaysCurrent: boolean
  changes: ChangeLog | undefined
  stop: () => Promise<void>
}

const state = singleton(
  'session-cache',
  (): State => ({
    entries: new CacheEntries(maxEntries),
    alwaysCurrent: false,
    changes: undefined,
    stop: async () => {},
  }),
)

export async function startSessionCache(settings: Pick<Env, 'SESSION_CACHE'>): Promise<void> {
  if (settings.SESSION_CACHE === 'off') return
  const { listen } = connection()
  if (listen) {
    state.stop = await listen(invalidate)
    state.alwaysCurrent = true
  } else {
    state.changes = new ChangeLog({
      apply: invalidate,
      reset: () => state.entries.invalidateAll(),
    })
    afterCommit(catchUp)
  }
}

export async function stopSessionCache(): Promise<void> {
  afterCommit(undefined)
  state.changes?.end()
  state.changes = undefined
  state.alwaysCurrent = false
  state.entries.invalidateAll()
  const { stop } = state
  state.stop = async () => {}
  await stop().catch(() => {})
}

/** From the cache, or else from the database. */
export async function findSession(token: string): Promise<Session | undefined> {
  const key = cacheKey(token)
  return (getCachedSession(key, performance.now()) ?? (await loadSession(key)))?.session
}

export function getCachedSession(key: string, now: number): CachedSession | undefined {
  if (!state.alwaysCurrent && !state.changes?.isCurrent(now)) return undefined
  return state.entries.get(key, now)
}

export async function loadSession(key: string): Promise<CachedSession | undefined> {
  const { generation } = state.entries
  const cached = await readSession(key)
  if (cached && (state.alwaysCurrent || state.changes)) state.entries.put(key, cached, generation)
  return cached
}

/** A transaction of this process is visible in its cache before the caller gets the result. */
async function catchUp(): Promise<void> {
  // With an empty cache this only keeps sessions out that were read before the commit.
  const known = state.entries.size > 0 && (await state.changes?.catchUp())
  if (!known) state.entries.invalidateAll()
}

/** `s` is a changed session, `u` a changed user, `*` too many changes to list. */
function invalidate(change: string): void {
  const id = change.slice(1)
  if (change[0] === 's') state.entries.invalidateSession(id)
  else if (change[0] === 'u') state.entries.invalidateUser(id)
  else state.entries.invalidateAll()
}
