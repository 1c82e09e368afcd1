import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

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
    /** Set when a live bearer token authenticated the request: no cookie took part. */
    bearer?: boolean
  }
}

export type ApiContext = Context<ApiEnvironment>
