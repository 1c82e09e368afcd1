import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { database, setConnection } from '#db/client'
import { openPostgres } from '#db/postgres/postgres'
import { job, jobsOfModules, jobWakeUp } from '#jobs/job'
import { startJobWorker } from '#jobs/worker'

/** One process of a cluster. Its jobs write a row to `job_runs` when they are done. */
setConnection(openPostgres({ url: process.env.DATABASE_URL ?? '', poolSize: 2, timeoutMs: 20_000 }))

async function noteRun(name: string): Promise<void> {
  await database().execute(sql`insert into job_runs (name, pid) values (${name}, ${process.pid})`)
}

const nightly = job({ name: 'test.nightly', schedule: '0 3 * * *' }, () => noteRun('nightly'))

const interrupted = job({ name: 'test.interrupted', data: z.object({}) }, async ({ attempt }) => {
  process.stdout.write(`attempt ${attempt} started\n`)
  if (attempt === 1) await pause(600_000)
  await noteRun('interrupted')
})

const poison = job({ name: 'test.poison', data: z.object({}), attempts: 2 }, async () => {
  process.kill(process.pid, 'SIGKILL')
})

await startJobWorker(jobsOfModules([{ id: 'test', jobs: [nightly, interrupted, poison] }]))
// The test does not wait for the next poll.
setInterval(jobWakeUp.wake, 100)
process.stdout.write('ready\n')
