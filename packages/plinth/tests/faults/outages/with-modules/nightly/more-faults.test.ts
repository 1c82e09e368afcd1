import { request } from 'node:http'
import { canMount, mountSmallDisk } from '@tests/scripts/support/mount'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stage, startStage } from '../../../../support/outages/cluster'
import { expectOutage, printOutages } from '../../../../support/outages/expect-outage'
import {
  oldConnectionsSilent,
  outOfConnections,
  readOnly,
  rowLocked,
  tableLocked,
} from '../../../../support/outages/faults'
import { diskFull } from '../../../../support/outages/full-disk'
import { type Load, slowly, startLoad } from '../../../../support/outages/load'
import { action, requestKinds } from '../../../../support/outages/request-kinds'

let stage: Stage
let load: Load

beforeAll(async () => {
  stage = await startStage({ cluster: { settings: { max_connections: 40 } } })
  load = startLoad(requestKinds(stage.server.url, stage.users))
  await load.allOk()
})

afterAll(async () => {
  await load?.stop()
  await stage?.stop()
  printOutages()
})

const faults = [
  ['has dropped its old connections', oldConnectionsSilent],
  ['has the table sessions locked', (at: Stage) => tableLocked(at, 'sessions')],
  ['is read-only', readOnly],
  ['is out of connections', outOfConnections],
] as const

const timeout = 120_000

test.each(faults)(
  'answers within 2.5 s while the database %s, and recovers',
  {
    timeout,
  },
  async (_, fault) => {
    await expectOutage(load, fault(stage))
  },
)

test('names a request while it is still open', { timeout }, async () => {
  const { url, waitFor } = stage.server
  const headers = { 'transfer-encoding': 'chunked', 'x-request-id': 'never-ends' }
  const sending = request(`${url}/api/auth/signout`, { method: 'POST', headers })
  sending.on('error', () => {}).write('{')
  const [line] = await waitFor(/\{[^\n]*"never-ends"[^\n]*request still open[^\n]*\}/)
  sending.destroy()
  const named = {
    level: 'warn',
    requestId: 'never-ends',
    method: 'POST',
    path: '/api/auth/signout',
  }
  expect(JSON.parse(line)).toMatchObject(named)
})

test('a locked row and a pool of two do not affect other users', { timeout }, async () => {
  const small = await startStage({ settings: { DATABASE_POOL_SIZE: '2' } })
  const { url } = small.server
  const [locked, ...others] = small.users.writers
  if (!locked) throw new Error('There is no writer.')
  const own = startLoad([
    ...requestKinds(url, { ...small.users, writers: others }).map(slowly),
    { ...action(url, [locked]), name: 'action of the locked user', intervalMs: 1_500 },
  ])
  await own.allOk()
  await expectOutage(own, rowLocked(small)).finally(async () => {
    await own.stop()
    await small.stop()
  })
})

test.skipIf(!canMount)('reads on a full disk, and recovers', { timeout }, async () => {
  const folder = mountSmallDisk(200)
  const settings = { autovacuum: 'off' }
  const small = await startStage({ cluster: { parent: folder, settings } })
  const own = startLoad(requestKinds(small.server.url, small.users))
  await own.allOk()
  await expectOutage(own, diskFull(folder, small.sql)).finally(async () => {
    await own.stop()
    await small.stop()
  })
})
