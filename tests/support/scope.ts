import type { LiveSession, Scope } from '@/core/auth/scope'

let callers = 0

/** Somebody at an address of their own, for functions that are called without a request. */
export function newScope(session?: LiveSession): Scope {
  callers += 1
  return {
    session,
    bearer: false,
    address: `198.51.100.${callers % 256}:${callers}`,
    requestId: `test-${callers}`,
  }
}
