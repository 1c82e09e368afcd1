import { root } from '../packages/plinth/scripts/paths.mjs'
import { CommandError } from '../packages/plinth/scripts/terminal.mjs'
import { findActions } from './support/actions.mjs'
import { send } from './support/send.mjs'
import { isProxyTrusted, sessionOf, signIn } from './support/sessions.mjs'
import { Skip } from './verdict.mjs'

const demoPassword = 'plinth-demo-1'
const roles = ['viewer', 'editor', 'admin']

/** The installation under attack, and what the attacks may assume about it. */
export async function prepareTarget({ url, quick, account }) {
  process.chdir(root)
  const own = url === undefined ? await startBuild() : undefined
  const base = own?.url ?? url
  await requireRunning(base)
  const accounts = await findAccounts(base, account)
  const anyAccount = [...accounts.values()][0]
  const trustsProxy = own ? true : Boolean(anyAccount && (await isProxyTrusted(base, anyAccount)))
  const actions = await findActions(base)
  const target = {
    url: base,
    quick,
    own,
    actions,
    log: own?.log,
    stop: async () => own?.stop(),
    /** @param {string} path */
    send: (path, init) => send(base, path, init),
    /** A new session of the account with this role. */
    async signIn(role) {
      return signIn(base, target.account(role))
    },
    /** All in the full run, and about `count` of them in the short one. */
    sample: (list, count) => (quick ? spread(list, count) : list),
    account(role) {
      const found = accounts.get(role)
      if (!found) throw new Skip(`no ${role} account; see --email and --password`)
      return found
    },
    requireActions() {
      if (typeof actions === 'string') throw new Skip(actions)
      return actions
    },
    requireOwnServer() {
      if (!own) throw new Skip('only against a server that this command starts')
      return own
    },
    requireOwnIps() {
      if (!trustsProxy) throw new Skip('the server does not trust X-Forwarded-For of this machine')
    },
  }
  return target
}

/** About `count` of the list, the same each time. A fixed step would fit the period of a matrix. */
export function spread(list, count) {
  const goldenRatio = 0.618034
  return list.filter((_, index) => (index * goldenRatio) % 1 < count / list.length)
}

async function startBuild() {
  const [{ install }, { build }] = await Promise.all([
    import('../packages/plinth/scripts/setup/install.mjs'),
    import('../packages/plinth/scripts/build/build.mjs'),
  ])
  await install()
  await build()
  const { startOwnServer } = await import('./server.mjs')
  return startOwnServer()
}

async function requireRunning(url) {
  try {
    await send(url, '/api/health')
  } catch {
    throw new CommandError(`No server responds at ${url}.`)
  }
}

/** The demo accounts that still have their password, and the given account with its role. */
async function findAccounts(url, given) {
  const demo = roles.map((role) => ({ email: `${role}@example.com`, password: demoPassword }))
  const accounts = new Map()
  for (const account of given ? [given, ...demo] : demo) {
    const session = await signIn(url, account).catch(() => undefined)
    const user = session && (await sessionOf(url, session))?.user
    if (user && !accounts.has(user.role)) accounts.set(user.role, account)
  }
  return accounts
}
