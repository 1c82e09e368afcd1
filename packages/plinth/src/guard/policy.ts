import type { Scope, Session } from '#http/scope'

export type SignedInScope = Scope & { session: Session }

/** A policy: the one vocabulary of pages, mutations, routes, navigation and queries. */
export type Policy<Allowed extends Scope = Scope> = (scope: Scope) => scope is Allowed

declare const allowed: unique symbol

/**
 * The scope that a policy allowed. It is narrower than `SignedInScope`, so that a signed-in scope
 * keeps its type where the policy does not hold: `mayWrite(scope) ? … : scope.session`.
 */
export type AllowedScope = SignedInScope & { readonly [allowed]: true }

/** Makes a policy from a rule for signed-in users. Anonymous callers are never allowed. */
export function policy(allows: (scope: SignedInScope) => boolean): Policy<AllowedScope> {
  return (scope): scope is AllowedScope => isSignedIn(scope) && allows(scope)
}

export const anyone = (_scope: Scope): _scope is Scope => true

export const isSignedIn = (scope: Scope): scope is SignedInScope => scope.session !== undefined

export const isAdmin = policy(({ session }) => session.user.role === 'admin')

export const isEditor = policy((scope) => scope.session.user.role === 'editor' || isAdmin(scope))
