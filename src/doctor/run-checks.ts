import { isStartupError } from '@/core/config/env'
import type { Connection } from '@/core/db/client'
import { findPending } from '@/core/db/migrate/plan'
import { checkDatabase, withDatabase } from '@/doctor/checks/database'
import { checkFiles, checkSecrets } from '@/doctor/checks/files'
import { checkRunning } from '@/doctor/checks/running'
import { checkCors, checkMail, checkSettings, checkUrl } from '@/doctor/checks/settings'
import { checkVersions } from '@/doctor/checks/versions'
import { collectFacts, type Facts, type Finding, reporter } from '@/doctor/facts'

const { error, ok } = reporter('rolling')

/** `--rolling`: whether processes of the running version survive the pending migrations. */
export function checkRolling({ source, modules, url, folder }: Installation): Promise<Finding[]> {
  const facts = collectFacts(source, url, folder)
  return withDatabase(facts, (connection) => describePending(connection, modules, folder))
}

/** 3 for a migration that the running version does not survive, 1 if that is not known. */
export function rollingExitCode(findings: readonly Finding[]): 0 | 1 | 3 {
  const isBlocked = findings.some(({ level, check }) => level === 'error' && check === 'rolling')
  if (isBlocked) return 3
  return findings.every(({ level }) => level === 'ok') ? 0 : 1
}

async function describePending(
  connection: Connection,
  modules: Installation['modules'],
  folder: string,
): Promise<Finding[]> {
  try {
    const { pending, applied } = await findPending(connection, modules, folder)
    if (applied === 0) return [ok('The database is empty, so no version runs on it.')]
    if (pending.length === 0) return [ok('No migrations are pending.')]
    return pending.map(({ name, rolling }) =>
      rolling === 'safe' ? ok(`${name} is safe while the running version serves.`) : stop(name),
    )
  } catch (thrown) {
    if (!isStartupError(thrown)) throw thrown
    return [reporter('database').error(thrown.message, 'Fix this first.')]
  }
}

function stop(name: string): Finding {
  return error(
    `${name} is not safe while the running version serves.`,
    'Stop all instances, run npm run migrate, and start the new version.',
  )
}

type Installation = {
  source: Readonly<Record<string, string | undefined>>
  modules: readonly { id: string }[]
  /** The URL to check, if not AUTH_URL. */
  url: string | undefined
  folder: string
}

/** All findings, in the order of the report. */
export async function runChecks({
  source,
  modules,
  url,
  folder,
}: Installation): Promise<Finding[]> {
  const facts: Facts = collectFacts(source, url, folder)
  // First: opening the embedded database makes its files private.
  const files = checkFiles(facts)
  const [running, database] = await Promise.all([
    checkRunning(facts),
    checkDatabase(facts, modules),
  ])
  return [
    ...checkSettings(facts),
    ...checkSecrets(facts),
    ...checkUrl(facts),
    ...running,
    ...database,
    ...checkMail(facts),
    ...checkCors(facts),
    ...checkVersions(facts),
    ...files,
  ]
}
