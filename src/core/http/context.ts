import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Scope } from '@/core/auth/scope'

/** What a request carries on its way through the interface. */
export type ApiEnvironment = {
  /** Node's own request and response; absent when Next is the host. */
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    /** The body, where it had to be read to know its size. */
    body?: string
    /** Who is signed in, once somebody has asked. */
    userId?: string
    /** On whose behalf it is, once somebody has asked. */
    scope?: Scope
  }
}

export type ApiContext = Context<ApiEnvironment>
