import { checkCors } from '@/doctor/checks/cors'
import { checkDatabase } from '@/doctor/checks/database'
import { checkFiles } from '@/doctor/checks/files'
import { checkMail } from '@/doctor/checks/mail'
import { checkRunning } from '@/doctor/checks/running'
import { checkSecrets } from '@/doctor/checks/secrets'
import { checkSettings } from '@/doctor/checks/settings'
import { checkUrl } from '@/doctor/checks/url'
import { checkVersions } from '@/doctor/checks/versions'
import { collectFacts, type Facts } from '@/doctor/facts'
import type { Finding } from '@/doctor/finding'

export type Installation = {
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
