import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Scope } from '#http/scope'

export type ApiEnvironment = {
  /** Node's request and response; absent when Next is the host. */
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    /** The body, once it has been read. */
    body?: string
    /** For the request log. */
    userId?: string
    /** The caller, once it has been read. */
    scope?: Scope
  }
}

export type ApiContext = Context<ApiEnvironment>
