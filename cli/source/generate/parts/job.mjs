export function jobSource(model) {
  return model.schedule ? scheduledSource(model) : enqueuedSource(model)
}

function enqueuedSource({ module, camel, snake, text }) {
  return `import 'server-only'
import { z } from 'zod'
import { job } from 'plinth/jobs/job'
import { log } from 'plinth/log/log'

/** It may run twice, so it must be repeatable. */
export const ${camel} = job(
  { name: '${module}.${snake}', data: z.object({ id: z.uuid() }) },
  async ({ data: { id } }) => {
    log().info({ id }, '${text}')
  },
)
`
}

function scheduledSource({ module, camel, snake, text, schedule }) {
  return `import 'server-only'
import { job } from 'plinth/jobs/job'
import { log } from 'plinth/log/log'

/** It may run twice, so it must be repeatable. */
export const ${camel} = job(
  { name: '${module}.${snake}', schedule: '${schedule}' },
  async () => {
    log().info('${text}')
  },
)
`
}

export function jobTestSource(model) {
  return model.schedule ? scheduledTest(model) : enqueuedTest(model)
}

function enqueuedTest({ module, camel, kebab }) {
  return `import { randomUUID } from 'node:crypto'
import { testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { jobs } from 'plinth/db/schema'
import { jobsOfModules } from 'plinth/jobs/job'
import { runDueJobs } from 'plinth/jobs/worker'
import { ${camel} } from '../${kebab}-job'

const db = testDatabase()

test('it runs once it is enqueued, and is then done', async () => {
  await db.database.transaction((tx) => ${camel}.enqueue(tx, { id: randomUUID() }))
  expect(await runDueJobs(jobsOfModules([{ id: '${module}', jobs: [${camel}] }]))).toBe(1)
  expect(await db.database.$count(jobs)).toBe(0)
})
`
}

function scheduledTest({ module, camel, kebab }) {
  return `import { sql } from 'drizzle-orm'
import { testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { jobSchedules } from 'plinth/db/schema'
import { jobsOfModules } from 'plinth/jobs/job'
import { storeSchedules } from 'plinth/jobs/schedules'
import { runDueJobs } from 'plinth/jobs/worker'
import { ${camel} } from '../${kebab}-job'

const db = testDatabase()

test('it runs when its time has come', async () => {
  const jobs = jobsOfModules([{ id: '${module}', jobs: [${camel}] }])
  await storeSchedules(jobs)
  expect(await runDueJobs(jobs)).toBe(0)
  await db.database.update(jobSchedules).set({ nextAt: sql\`now()\` })
  expect(await runDueJobs(jobs)).toBe(1)
  expect(await db.database.select().from(jobSchedules)).toMatchObject([{ lastOutcome: 'success' }])
})
`
}
