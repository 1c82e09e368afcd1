import { appConfig } from '#config/app-config'
import { isStartupError } from '#config/env'
import type { Connection } from '#db/client'
import { findPending } from '#db/migrate/plan'
import { checkDatabase, withDatabase } from '#doctor/checks/database'
import { checkBackups, checkFiles, checkSecrets } from '#doctor/checks/files'
import { checkMetrics, checkRunning } from '#doctor/checks/running'
import { checkMail, checkRedis, checkTraces } from '#doctor/checks/services'
import { checkCors, checkSettings, checkUrl, checkVersions } from '#doctor/checks/settings'
import { collectFacts, type Facts, type Installed, reporter } from '#doctor/facts'
import type { Finding } from '#modules/module'

const { error, ok } = reporter('rolling')

/** `--rolling`: whether processes of the running version survive the pending migrations. */
export function checkRolling({ source, modules, url, folder }: Installation): Promise<Finding[]> {
  const facts = collectFacts(source, url, folder)
  return withDatabase(facts, (connection) => describePending(connection, modules))
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
): Promise<Finding[]> {
  try {
    const { pending, applied } = await findPending(connection, modules)
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
  modules: Installed
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
  const [running, database, mail, redis, metrics, traces] = await Promise.all([
    checkRunning(facts),
    checkDatabase(facts, modules),
    checkMail(facts),
    checkRedis(facts),
    checkMetrics(facts),
    checkTraces(facts),
  ])
  return [
    ...checkSettings(facts, modules),
    ...checkSecrets(facts),
    ...checkUrl(facts),
    ...running,
    ...database,
    ...mail,
    ...redis,
    ...metrics,
    ...traces,
    ...checkCors(facts),
    ...checkVersions(facts),
    ...files,
    ...checkBackups(facts),
  ]
}

type Level = Finding['level']

export type Counts = Record<Level, number>

export function countLevels(findings: readonly Finding[]): Counts {
  const counts: Counts = { error: 0, warning: 0, ok: 0 }
  for (const { level } of findings) counts[level] += 1
  return counts
}

type Format = { width: number; colors: boolean }

/** For terminals: one group per check, with the remedy below each problem. */
export function formatReport(findings: readonly Finding[], { width, colors }: Format): string {
  const paint = (code: string, text: string) => (colors ? `\x1b[${code}m${text}\x1b[0m` : text)
  const checks = [...new Set(findings.map(({ check }) => check))]
  const groups = checks.map((check) => {
    const lines = findings
      .filter((finding) => finding.check === check)
      .flatMap(({ level, message, remedy }) => [
        ...row(paint(colorOf[level], level.padEnd(labels)), message, width),
        ...(remedy ? row(' '.repeat(labels), remedy, width, '→ ') : []),
      ])
    return [paint('1', capitalize(check)), ...lines].join('\n')
  })
  return [`${appConfig().name} doctor`, ...groups, summary(countLevels(findings))].join('\n\n')
}

const colorOf: Record<Level, string> = { error: '31', warning: '33', ok: '32' }

const labels = 'warning'.length

function row(label: string, text: string, width: number, mark = ''): string[] {
  const indent = labels + 4 + mark.length
  return wrapText(text, width - indent).map((line, at) =>
    at === 0 ? `  ${label}  ${mark}${line}` : `${' '.repeat(indent)}${line}`,
  )
}

function summary({ error, warning, ok }: Counts): string {
  const errors = error === 1 ? '1 error' : `${error} errors`
  const warnings = warning === 1 ? '1 warning' : `${warning} warnings`
  return `${errors}, ${warnings}, ${ok} ok.`
}

function capitalize(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}

/** Breaks text between words. A word that is longer than the width stays whole. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else {
      lines.push(word)
    }
  }
  return lines
}
