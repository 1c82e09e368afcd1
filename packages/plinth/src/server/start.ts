import cluster from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { record } from '#audit/record'
import { auditJob } from '#audit/retention'
import { accountMail } from '#auth/accounts/account-mail'
import { eraseArchives } from '#auth/accounts/deleted-accounts/erasure'
import { deleteExpiredLinks } from '#auth/accounts/links'
import { deleteExpiredMailCodes } from '#auth/accounts/mail-codes'
import { compactUserCounts, createDemoAccounts, findOpenDemoAccounts } from '#auth/accounts/users'
import { providerSettings } from '#auth/oauth/configured-providers'
import { dummyHash } from '#auth/passwords/hash'
import { startSessionCache } from '#auth/sessions/cache'
import { deleteExpiredSessions } from '#auth/sessions/session'
import { explainMissingSteps } from '#auth/sessions/steps'
import { senderError } from '#config/app-config'
import { authSecrets, type Env, env, makePrivate, StartupError } from '#config/env'
import { lazy } from '#config/lazy'
import { explainMisspelled, findMisspelled } from '#config/misspelled-settings'
import { isLoopback } from '#config/setting-types'
import { exportsTraces } from '#config/trace-settings'
import { deleteReadChanges } from '#db/change-log-sweep'
import { closeConnection, connection, database, setConnection } from '#db/client'
import {
  explainRemovedProtection,
  findRemovedProtection,
  migrateAtStart,
  type RemovedProtection,
} from '#db/migrate/migrate'
import { openDatabase } from '#db/open'
import { deleteUnusedBuilds, deleteUnusedFiles } from '#db/static-files'
import { waitForTable } from '#db/wait'
import { type Job, job, jobsOfModules } from '#jobs/job'
import { deleteUnknownSchedules } from '#jobs/schedules'
import { deleteOldFailures, startJobWorker, stopJobWorker } from '#jobs/worker'
import { announce, log } from '#log/log'
import { watchOpenRequests } from '#log/outage'
import { logMailDelivery, outboxFolder } from '#mail/deliver'
import { mailOfModules } from '#mail/mail'
import { deleteOldFailedMail, startMailWorker, stopMailWorker } from '#mail/worker'
import { count } from '#metrics/metrics'
import { installedModules, onInstalled } from '#modules/installed-modules'
import type { Module } from '#modules/module'
import { deleteExpiredCounts } from '#rate-limits/postgres-counts'
import { unknownLimits } from '#rate-limits/rate-limit'
import { connectRateLimits } from '#rate-limits/redis-counts'
import { sweepRecoveries } from '#recovery/sweep'
import { explainStartupError } from '#server/console'
import { isLoadedByEngine } from '#server/load-app'
import { demoPassword } from '#universal/users'

/** Where Next is the host, and not the server of this package. */
export async function startUnderNext(): Promise<void> {
  if (isLoadedByEngine()) return
  try {
    await start(installedModules())
    if (process.env.NODE_ENV === 'development') restartWorkersOnEdit()
  } catch (error) {
    const reason = explainStartupError(error)
    if (reason === undefined) throw error
    process.stderr.write(`${reason}\n`)
    process.exit(1)
  }
}

/** Mail servers refuse mail without one. */
function requireSender(settings: Env): void {
  const error = senderError(settings)
  if (error) throw new StartupError(`Settings: ${error.name} ${error.message}.`)
}

/** When all pages are loaded, and with them all limits that they declare. */
export function requireKnownLimits(): void {
  for (const { name, meant } of unknownLimits()) {
    const problem = `src/plinth.config.ts: limits.${name} is no limit of this app.`
    if (meant) throw new StartupError(`${problem} Did you mean ${meant}?`)
    log().warn(problem)
  }
}

/** An edit registers the modules again, and then the edited jobs and mails run. */
function restartWorkersOnEdit(): void {
  let restarted = Promise.resolve()
  onInstalled((modules) => {
    restarted = restarted.then(() => restartWorkers(modules)).catch(logRestartFailure)
  })
}

async function restartWorkers(modules: readonly Installed[]): Promise<void> {
  const workers = workersOf(modules)
  await stopWorkers()
  await workers.start()
}

function logRestartFailure(error: unknown): void {
  log().error({ err: error }, 'restarting jobs and mail failed')
}

/** Throws if the modules repeat a name, before anything is started. */
function workersOf(modules: readonly Installed[]) {
  const mail = { ...accountMail, ...mailOfModules(modules) }
  const jobs = jobsOfModules([{ id: 'core', jobs: [sweepJob(modules), auditJob] }, ...modules])
  return {
    async start() {
      startMailWorker(mail)
      await startJobWorker(jobs)
    },
  }
}

export async function stopWorkers(): Promise<void> {
  await Promise.all([stopMailWorker(), stopJobWorker()])
}

type Installed = Pick<
  Module,
  | 'id'
  | 'mail'
  | 'jobs'
  | 'sweep'
  | 'signInSteps'
  | 'onSignIn'
  | 'onRevoke'
  | 'factors'
  | 'signInMethodTables'
>

/** Prepares the process for its first request, once. */
export const start = lazy(async (modules: readonly Installed[]): Promise<void> => {
  const settings = env()
  if (isFirstWorker()) warnOfMisspelled(process.env)
  if (exportsTraces(settings)) {
    const { startTracing } = await import('#server/tracing/tracing')
    await startTracing(settings)
  }
  const workers = workersOf(modules)
  setConnection(await openDatabase(settings))
  try {
    await migrateAtStart(connection(), modules, settings)
    await requireProtection(modules, settings)
    authSecrets()
    requireSender(settings)
    if (settings.embedded) await createDemoAccounts(database())
    const open = await waitForTable('users', () => findOpenDemoAccounts(database()))
    announceDemoAccounts(open, settings)
    await Promise.all([dummyHash(), connectRateLimits()])
    await startSessionCache(settings)
    watchOpenRequests()
    makePrivate(outboxFolder())
    logMailDelivery(settings)
    await workers.start()
  } catch (error) {
    await closeConnection()
    throw error
  }
})

/** No protection of a user disappears silently. */
export async function requireProtection(
  modules: readonly Installed[],
  settings: Pick<Env, 'SECOND_FACTOR' | 'ACCEPT_REMOVED_PROTECTION'>,
): Promise<void> {
  const missing = explainMissingSteps(settings, modules)
  if (missing) throw new StartupError(`${missing.problem} ${missing.remedy}`)
  const found = await waitForTable('of second factors', () =>
    findRemovedProtection(connection(), modules),
  )
  for (const removed of found) {
    const { problem, remedy } = explainRemovedProtection(removed)
    if (!settings.ACCEPT_REMOVED_PROTECTION.includes(removed.module)) {
      throw new StartupError(`${problem} ${remedy}`)
    }
    announce(`${problem} ACCEPT_REMOVED_PROTECTION accepts this.`)
    if (isFirstWorker()) await recordAcceptance(removed)
  }
}

function recordAcceptance(removed: RemovedProtection): Promise<void> {
  const event = {
    action: 'accept_removed_protection',
    outcome: 'success',
    ip: 'command line',
    requestId: '',
    details: removed,
  } as const
  return waitForTable('audit_events', () => record(database(), event))
}

/** True for the first worker of a start. Workers that replace exited ones have higher ids. */
function isFirstWorker(): boolean {
  return (cluster.worker?.id ?? 1) === 1
}

function warnOfMisspelled(source: NodeJS.ProcessEnv): void {
  for (const misspelled of findMisspelled(source, providerSettings())) {
    log().warn(explainMisspelled(misspelled))
  }
}

/** A proxy on this machine makes a server on 127.0.0.1 public, and AUTH_URL tells. */
function announceDemoAccounts(open: string[], settings: Env): void {
  if (open.length === 0) return
  const { HOST, AUTH_URL, embedded } = settings
  const published = `the published password ${demoPassword} signs in ${open.join(', ')}`
  if (!isLoopback(new URL(AUTH_URL).hostname)) {
    const remedy = embedded
      ? 'Set DATABASE_URL. Or start without AUTH_URL, and change or delete these accounts first.'
      : 'Start without AUTH_URL, and change or delete these accounts first.'
    throw new StartupError(`AUTH_URL is ${AUTH_URL}, but ${published}. ${remedy}`)
  }
  if (!isLoopback(HOST)) {
    throw new StartupError(
      `HOST is ${HOST}, but ${published}. Change or delete these accounts first, or serve on 127.0.0.1.`,
    )
  }
  announce(`demo accounts: ${open.join(', ')}; password: ${demoPassword}`)
}

const batchSize = 500

/** The sweeps of the engine, by the table whose rows they delete. */
const sweepsOfCore = {
  sessions: deleteExpiredSessions,
  verification_tokens: deleteExpiredLinks,
  mail_codes: deleteExpiredMailCodes,
  change_log: deleteReadChanges,
  rate_limits: deleteExpiredCounts,
  failed_mail: deleteOldFailedMail,
  recoveries: sweepRecoveries,
  // After the links whose end they wait for.
  deleted_account_rows: eraseArchives,
  jobs: deleteOldFailures,
  job_schedules: deleteUnknownSchedules,
  // Files after builds: those of a deleted build are then unused.
  static_builds: deleteUnusedBuilds,
  static_files: deleteUnusedFiles,
}

/** Deletes expired rows in small batches, so that no request waits for it. Nothing depends on it. */
export function sweepJob(modules: readonly Pick<Module, 'id' | 'sweep'>[]): Job {
  const ofModules = modules.flatMap(({ id, sweep }) => (sweep ? [[id, sweep] as const] : []))
  const sweeps = [...Object.entries(sweepsOfCore), ...ofModules]
  return job({ name: 'core.sweep', schedule: '*/10 * * * *' }, async ({ signal }) => {
    for (const [table, sweep] of sweeps) {
      const sweepBatch = async () => {
        const swept = await sweep(batchSize)
        count('plinth_swept_rows_total', { table }, swept)
        return swept
      }
      while ((await sweepBatch()) >= batchSize) await pause(100, undefined, { signal })
    }
    await compactUserCounts()
  })
}
