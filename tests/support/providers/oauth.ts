import { afterAll, beforeAll, beforeEach } from 'vitest'
import { installed } from '@/core/auth/providers/installed'
import { configure as configureProcess } from '../configure'
import { type OAuthServer, type Person, startOAuthServer } from './oauth-server'

let people = 0

/** Every installed provider for all tests of the file that calls this, set anew before each. */
export function oauthServers() {
  const servers = new Map<string, OAuthServer>()

  beforeAll(async () => {
    for (const provider of installed) servers.set(provider.id, await startOAuthServer(provider))
  })
  beforeEach(() => {
    for (const server of servers.values()) server.forged = {}
    configure({})
  })
  afterAll(async () => {
    for (const server of servers.values()) await server.stop()
  })

  function serverOf(id: string): OAuthServer {
    const server = servers.get(id)
    if (!server) throw new Error(`No server stands in for ${id}.`)
    return server
  }

  function configure(more: Record<string, string>) {
    const keys = [...servers.values()].map(({ settings }) => settings)
    configureProcess(Object.assign({}, ...keys, more))
  }

  /** Somebody who has never been here, at the browser of that provider. */
  function newPerson(id: string, more: Partial<Person> = {}): Person {
    people += 1
    const person = {
      id: String(1000 + people),
      name: `Person ${people}`,
      email: `person-${people}@example.org`,
      verified: true,
      ...more,
    }
    serverOf(id).person = person
    return person
  }

  return { serverOf, configure, newPerson }
}
