import type { LiveSession, Scope } from '@/core/auth/scope'

/** A scope that is known to be somebody's. */
export type SignedInScope = Scope & { session: LiveSession }

/** Who may: the one vocabulary of pages, actions, routes, navigation and queries. */
export type Predicate<Allowed extends Scope = Scope> = (scope: Scope) => scope is Allowed

export const anyone = (_scope: Scope): _scope is Scope => true

export const isSignedIn = (scope: Scope): scope is SignedInScope => scope.session !== undefined

export const isEditor = (scope: Scope): scope is SignedInScope =>
  scope.session?.user.role === 'editor' || isAdmin(scope)

export const isAdmin = (scope: Scope): scope is SignedInScope =>
  scope.session?.user.role === 'admin'
