import { setTimeout as pause } from 'node:timers/promises'
import { childrenOf } from '../../packages/plinth/tests/support/services/signal-postgres.mjs'

/**
 * The events of the system, in this order. `database` marks events during which 503 with
 * Retry-After is allowed. `run` resolves when the cause is over, with the times that matter.
 */
export function eventsFor({ short }) {
  const all = [
    { name: 'both builds at work', run: async () => pause(short ? 5_000 : 20_000) },
    { name: 'instances restart, other build', run: restartInstances, short: true },
    { name: 'instances restart, back', run: restartInstances },
    { name: 'worker killed', run: killWorker },
    { name: 'PgBouncer restarted', run: restartPooler, short: true, database: true },
    { name: 'primary silent for 6 s', run: pausePrimary, database: true },
    { name: 'primary killed, standby promoted', run: failOver, short: true, database: true },
  ]
  return short ? all.filter((event, index) => index === 0 || event.short) : all
}

async function restartInstances({ instances, builds, short, allWork }) {
  // One of each build is enough to see both directions.
  const restarted = short ? [instances[0], instances[3]] : instances
  for (const instance of restarted) {
    const other = instance.build === builds.first ? builds.second : builds.first
    const code = await instance.stop()
    if (code !== 0) throw new Error(`Instance ${instance.name} exited with ${code}.`)
    await instance.start(other)
    await allWork()
  }
}

/** Its own requests end with it. The other worker and the other instances serve all others. */
async function killWorker({ instances }) {
  const { pid } = instances[1]
  const [worker] = childrenOf(pid)
  const killedAt = performance.now()
  process.kill(worker, 'SIGKILL')
  while (childrenOf(pid).length < 2 || childrenOf(pid).includes(worker)) await pause(50)
  return { killedAt }
}

async function restartPooler({ pooler }) {
  await pooler.restart()
}

async function pausePrimary({ pair }) {
  pair.pausePrimary()
  await pause(6_000)
  pair.resumePrimary()
}

/** Acts as a failover manager. */
async function failOver({ pair, pooler }) {
  await pair.killPrimary()
  await pair.promote()
  await pooler.pointTo(pair.standby)
}
