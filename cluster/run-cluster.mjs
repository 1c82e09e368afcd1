import { print } from '../packages/plinth/scripts/terminal.mjs'
import { prepareBuilds } from './builds/builds.mjs'
import { startClients } from './clients/clients.mjs'
import { eventsFor } from './events/events.mjs'
import { runEvents } from './events/run-events.mjs'
import { createJournal } from './journal.mjs'
import { judgeEvent } from './judge.mjs'
import { findLostWrites } from './lost-writes.mjs'
import { printErrors, printReport } from './report.mjs'
import { startSystem } from './system/system.mjs'

/** Sets the exit code to 1 if a promise was broken. */
export async function runCluster(options) {
  const builds = await prepareBuilds(options)
  const system = await startSystem(builds, options)
  print(`Four instances of two builds at ${system.url}${options.short ? ', short run' : ''}`)
  const journal = createJournal()
  const context = { ...system, ...options, journal }
  const clients = await startClients(context)
  if (!clients.hasBrowser) print('Skipped: Chromium is not installed')
  const events = await runEvents(eventsFor(options), context)
  await clients.stop()
  const lost = await findLostWrites(system.pair.standby, journal)
  const end = (index) => events[index + 1]?.from ?? Number.POSITIVE_INFINITY
  const results = events.map((event, index) => judgeEvent(event, end(index), journal, lost))
  printReport(results, options)
  if (process.exitCode === 1) printErrors(system.instances)
}
