import { stopWith } from '../scripts/failure.mjs'
import { say } from '../scripts/terminal.mjs'
import { benchCacheMemory } from './cache-memory.mjs'
import { benchEnumeration } from './enumeration.mjs'
import { benchHealth } from './health.mjs'
import { benchOverload } from './overload.mjs'
import { quick, thorough } from './pace.mjs'
import { benchPages } from './pages.mjs'
import { benchSession } from './session.mjs'
import { benchSessionsFlat } from './sessions-flat.mjs'
import { benchUsers } from './users.mjs'

const suites = {
  health: benchHealth,
  session: benchSession,
  overload: benchOverload,
  pages: benchPages,
  'sessions-flat': benchSessionsFlat,
  'cache-memory': benchCacheMemory,
  enumeration: benchEnumeration,
  users: benchUsers,
}

/** Without a name; the others take long, or make a million rows. */
const usual = ['health', 'session', 'overload', 'pages']

const given = process.argv.slice(2)
const isQuick = given.includes('quick')
const named = given.filter((name) => name !== 'quick')
const unknown = named.filter((name) => !Object.hasOwn(suites, name))
if (unknown.length > 0) {
  say(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}
const wanted = named.length > 0 ? named : isQuick ? ['session'] : usual
if (isQuick) sayWhatIsLeftOut(wanted)
try {
  for (const name of wanted) await suites[name](isQuick ? quick : thorough)
} catch (error) {
  await stopWith(error)
}
process.exit(process.exitCode)

function sayWhatIsLeftOut(kept) {
  const left = usual.filter((name) => !kept.includes(name))
  say(
    `Quick: ${quick.rounds} rounds of ${quick.seconds} s, and ${quick.nextWarmUp} s of warm-up for Next, which needs ${thorough.nextWarmUp}: it does better than shown here.`,
  )
  say('Nothing is kept.')
  if (left.length > 0) say(`Left out: ${left.join(', ')}.`)
}
