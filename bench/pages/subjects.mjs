import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSession, servePeer } from '../peers.mjs'
import { secret, startPlinth } from '../servers.mjs'
import { cookieOf } from '../sign-in.mjs'
import { checkPage } from './check-page.mjs'

/**
 * A subject names a page of a server. Each `server` is a process of its own: Plinth with the given
 * settings, or a peer. `users`: the page shows the users, so it is checked and compared.
 */
const subjects = {
  users: { label: 'Plinth /admin/users', server: 'plinth', path: '/admin/users', users: true },
  otherUsers: {
    label: 'another 25 each time, so no hits',
    server: 'plinth-changing',
    path: '/admin/users',
    changing: true,
    users: true,
  },
  rendered: {
    label: 'without the render cache',
    server: 'plinth-rendering',
    path: '/admin/users',
    users: true,
  },
  bare: { label: 'Bare Next, no session', server: 'bare-next', path: '/users', users: true },
  authjs: { label: 'Auth.js on Next', server: 'authjs-next', path: '/users', users: true },
  reactRouter: { label: 'React Router', server: 'react-router', path: '/users', users: true },
  tanstack: { label: 'TanStack Start', server: 'tanstack-start', path: '/users', users: true },
  account: { label: 'Plinth /account', server: 'plinth', path: '/account' },
  renderedAccount: { label: 'rendered', server: 'plinth-rendering', path: '/account' },
  articles: { label: 'Plinth /articles', server: 'plinth', path: '/articles' },
  renderedArticles: { label: 'rendered', server: 'plinth-rendering', path: '/articles' },
  signIn: { label: 'Plinth /sign-in', server: 'plinth', path: '/sign-in', anonymous: true },
  renderedSignIn: {
    label: 'rendered',
    server: 'plinth-rendering',
    path: '/sign-in',
    anonymous: true,
  },
}

/** Settings by the name of the Plinth process. */
const plinths = { plinth: {}, 'plinth-changing': {}, 'plinth-rendering': { RENDER_CACHE_MB: '0' } }

/** Starts all servers on the same database, and checks that each shows the same users. */
export async function startSubjects({ database, folder, token, emails, otherPages }) {
  const sessions = {
    'bare-next': undefined,
    'authjs-next': await createSession('authjs-next', database),
    'react-router': `session=${token}`,
    'tanstack-start': `session=${token}`,
  }
  const servers = {}
  for (const [name, settings] of Object.entries(plinths)) {
    servers[name] = await startPlinth({ DATABASE_URL: database, AUTH_SECRET: secret, ...settings })
    sessions[name] = cookieOf(token).cookie
  }
  for (const name of Object.keys(sessions)) servers[name] ??= await servePeer(name, database)
  const script = join(folder, 'other-pages.lua')
  writeFileSync(script, rotate(otherPages))
  const started = {}
  for (const [name, { server, path, changing, anonymous, users, label }] of Object.entries(
    subjects,
  )) {
    const cookie = anonymous ? undefined : sessions[server]
    const subject = {
      label,
      users,
      url: servers[server].origin + path,
      headers: cookie ? { cookie } : {},
      ...(changing && { script }),
      next: true,
    }
    started[name] = { ...subject, kilobytes: await checkPage(subject, users ? emails : []) }
  }
  return {
    subjects: started,
    origins: { plinth: servers.plinth.origin, bare: servers['bare-next'].origin },
    async stop() {
      for (const server of Object.values(servers)) await server.stop()
    },
  }
}

/** A wrk script that requests the next of the paths each time. */
function rotate(paths) {
  return `local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local turn = 0
function request()
  turn = turn % #paths + 1
  return wrk.format("GET", paths[turn])
end
`
}
