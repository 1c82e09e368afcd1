import { CacheEntries, maxEntries } from '#auth/sessions/cache-entries'
import { cacheKey } from '#auth/sessions/cookie'
import { type CachedSession, readSession } from '#auth/sessions/read'
import type { Env } from '#config/env'
import { afterCommit } from '#db/after-commit'
import { ChangeLog } from '#db/change-log'
import { connection } from '#db/client'
import type { Session } from '#http/scope'
import { type Counter, counter } from '#metrics/metrics'

type State = {
  entries: CacheEntries
  /** On the embedded database every change is made, and received, in this process. */
  alwaysCurrent: boolean
  changes: ChangeLog | undefined
  hits: Counter | undefined
  misses: Counter | undefined
  stop: () => Promise<void>
}

const state: State = {
  entries: new CacheEntries(maxEntries),
  alwaysCurrent: false,
  changes: undefined,
  hits: undefined,
  misses: undefined,
  stop: async () => {},
}

export async function startSessionCache(settings: Pick<Env, 'SESSION_CACHE'>): Promise<void> {
  if (settings.SESSION_CACHE === 'off') return
  state.hits = counter('plinth_session_cache_lookups_total', { result: 'hit' })
  state.misses = counter('plinth_session_cache_lookups_total', { result: 'miss' })
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
  const isCurrent = state.alwaysCurrent || state.changes?.isCurrent(now)
  const cached = isCurrent ? state.entries.get(key, now) : undefined
  const lookups = cached ? state.hits : state.misses
  if (lookups) lookups.value += 1
  return cached
}

export function sessionCacheUse(now = performance.now()) {
  return { entries: state.entries.size, changesReadMs: state.changes?.ageMs(now) }
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
