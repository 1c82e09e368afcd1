import type { Scope, Session } from '@/core/http/scope'

export type SignedInScope = Scope & { session: Session }

/** A policy: the one vocabulary of pages, actions, routes, navigation and queries. */
export type Policy<Allowed extends Scope = Scope> = (scope: Scope) => scope is Allowed

export const anyone = (_scope: Scope): _scope is Scope => true

export const isSignedIn = (scope: Scope): scope is SignedInScope => scope.session !== undefined

export const isEditor = (scope: Scope): scope is SignedInScope =>
  scope.session?.user.role === 'editor' || isAdmin(scope)

export const isAdmin = (scope: Scope): scope is SignedInScope =>
  scope.session?.user.role === 'admin'
