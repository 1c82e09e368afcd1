'use server'

import { mutation } from 'plinth/guard/mutation'
import { refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { deleteFailedMail, retryFailedMail } from '../../data/jobs/failed-mail'
import {
  deleteFailedJob,
  findFailedJob,
  isScheduled,
  retryFailedJobs,
  retryJob,
  runSchedule,
} from '../../data/jobs/retry-jobs'
import { mayAdminister } from '../../policy'

const rateLimit = { times: 120, seconds: 60 }

const jobId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

const redirectTo = '/admin/jobs'

export const retryFailedJob = mutation(
  {
    name: 'retry_job',
    authorize: mayAdminister,
    rateLimit,
    input: z.object({ jobId }),
    target: () => 'job',
    redirectTo,
  },
  async ({ tx, input, notify, addDetails }) => {
    const job = await findFailedJob(tx, input.jobId)
    if (!job) return refuse('conflict', noLongerFailed)
    if (!(await retryJob(tx, input.jobId))) return refuse('conflict', alreadyActive(job.name))
    addDetails({ job: job.name })
    notify(`Job ${job.name} runs again.`)
    return { retried: 1 }
  },
)

export const retryAllFailedJobs = mutation(
  {
    name: 'retry_jobs',
    authorize: mayAdminister,
    rateLimit,
    input: z.object({ jobs: z.literal('failed') }),
    target: () => 'job',
    redirectTo,
  },
  async ({ tx, notify, addDetails }) => {
    const retried = await retryFailedJobs(tx)
    if (retried === 0) return refuse('conflict', 'No failed job can run again now.')
    addDetails({ count: retried })
    notify(retried === 1 ? 'One job runs again.' : `${retried} jobs run again.`)
    return { retried }
  },
)

const failedMail = z.object({ mail: z.literal('failed') })

export const retryUnsentMail = mutation(
  {
    name: 'retry_mail',
    authorize: mayAdminister,
    rateLimit,
    input: failedMail,
    target: () => 'mail',
    redirectTo,
  },
  async ({ tx, notify, addDetails }) => {
    const retried = await retryFailedMail(tx)
    if (retried === 0) return refuse('conflict', noFailedMail)
    addDetails({ count: retried })
    notify(retried === 1 ? 'One message is sent again.' : `${retried} messages are sent again.`)
    return { retried }
  },
)

export const deleteUnsentMail = mutation(
  {
    name: 'delete_mail',
    authorize: mayAdminister,
    rateLimit,
    input: failedMail,
    target: () => 'mail',
    redirectTo,
  },
  async ({ tx, notify, addDetails }) => {
    const deleted = await deleteFailedMail(tx)
    if (deleted === 0) return refuse('conflict', noFailedMail)
    addDetails({ count: deleted })
    notify(deleted === 1 ? 'One message deleted.' : `${deleted} messages deleted.`)
    return { deleted }
  },
)

const noFailedMail = 'No mail has failed.'

export const deleteJob = mutation(
  {
    name: 'delete_job',
    authorize: mayAdminister,
    rateLimit,
    input: z.object({ jobId }),
    target: () => 'job',
    redirectTo,
  },
  async ({ tx, input, notify, addDetails }) => {
    const job = await findFailedJob(tx, input.jobId)
    if (!job) return refuse('conflict', noLongerFailed)
    await deleteFailedJob(tx, input.jobId)
    addDetails({ job: job.name })
    notify(`Job ${job.name} deleted.`)
    return { deleted: true }
  },
)

export const runScheduledJob = mutation(
  {
    name: 'run_job',
    authorize: mayAdminister,
    rateLimit,
    input: z.object({ name: z.string().min(1).max(100) }),
    target: () => 'job',
    redirectTo,
  },
  async ({ tx, input: { name }, notify, addDetails }) => {
    if (!(await isScheduled(tx, name))) return refuse('conflict', 'This schedule no longer exists.')
    if (!(await runSchedule(tx, name))) return refuse('conflict', alreadyActive(name))
    addDetails({ job: name })
    notify(`Job ${name} starts now.`)
    return { started: true }
  },
)

const noLongerFailed = 'This job is no longer in the list. It was deleted or runs again.'

const alreadyActive = (name: string) => `Job ${name} is already waiting or running.`
