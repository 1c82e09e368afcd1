import { exitWithError, print } from '../packages/plinth/scripts/terminal.mjs'
import { benchCacheMemory } from './cache-memory.mjs'
import { benchCapacity } from './capacity.mjs'
import { benchCoordination } from './coordination/coordination.mjs'
import { benchDevLoop } from './dev-loop.mjs'
import { benchEmbedded } from './embedded.mjs'
import { benchEnumeration } from './enumeration.mjs'
import { benchExports } from './exports.mjs'
import { benchHealth } from './health.mjs'
import { benchMailEnumeration } from './mail-enumeration.mjs'
import { benchMetrics } from './metrics.mjs'
import { benchNodeVersions } from './node-versions.mjs'
import { benchOverload } from './overload.mjs'
import { benchOwned } from './owned.mjs'
import { benchBrowser } from './pages/browser.mjs'
import { benchMemory } from './pages/memory.mjs'
import { benchPages } from './pages/pages.mjs'
import { benchSoak } from './pages/soak.mjs'
import { quick, thorough } from './profiles.mjs'
import { benchSession } from './session.mjs'
import { benchSessionsFlat } from './sessions-flat.mjs'
import { benchSignInRate } from './sign-in-rate.mjs'
import { benchUsers } from './users.mjs'

const suites = {
  health: benchHealth,
  session: benchSession,
  overload: benchOverload,
  'sign-in': benchSignInRate,
  pages: benchPages,
  browser: benchBrowser,
  soak: benchSoak,
  memory: benchMemory,
  'sessions-flat': benchSessionsFlat,
  'cache-memory': benchCacheMemory,
  capacity: benchCapacity,
  coordination: benchCoordination,
  enumeration: benchEnumeration,
  'mail-enumeration': benchMailEnumeration,
  metrics: benchMetrics,
  users: benchUsers,
  embedded: benchEmbedded,
  exports: benchExports,
  'node-versions': benchNodeVersions,
  'dev-loop': benchDevLoop,
  owned: benchOwned,
}

/** The other suites are slow or create a million rows. */
const defaultSuites = ['health', 'session', 'overload', 'pages']

const args = process.argv.slice(2)
const isQuick = args.includes('quick')
const named = args.filter((name) => name !== 'quick')
const unknown = named.filter((name) => !Object.hasOwn(suites, name))
if (unknown.length > 0) {
  print(`Unknown benchmark: ${unknown.join(', ')}. Available: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}
const selected = named.length > 0 ? named : isQuick ? ['session'] : defaultSuites
if (isQuick) printQuickNotice(selected)
try {
  for (const name of selected) await suites[name](isQuick ? quick : thorough)
} catch (error) {
  await exitWithError(error)
}
process.exit(process.exitCode)

function printQuickNotice(running) {
  const skipped = defaultSuites.filter((name) => !running.includes(name))
  print(
    `Quick: ${quick.rounds} rounds of ${quick.seconds} s. Next gets ${quick.nextWarmUp} s of warm-up instead of ${thorough.nextWarmUp} s, so it is faster than shown.`,
  )
  print('Results are not saved.')
  if (skipped.length > 0) print(`Skipped: ${skipped.join(', ')}.`)
}
