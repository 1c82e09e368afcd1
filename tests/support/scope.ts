import type { Scope, Session } from '@/core/http/scope'

let scopes = 0

/** A scope with its own IP, for functions that are called without a request. */
export function newScope(session?: Session): Scope {
  scopes += 1
  return {
    session,
    bearer: false,
    ip: `198.51.100.${scopes % 256}:${scopes}`,
    requestId: `test-${scopes}`,
  }
}
