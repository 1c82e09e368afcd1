import { checkCors } from '@/doctor/cors-check'
import { checkDatabase } from '@/doctor/database-check'
import { collectFacts, type Facts } from '@/doctor/facts'
import { checkFiles } from '@/doctor/files-check'
import type { Finding } from '@/doctor/finding'
import { checkMail } from '@/doctor/mail-check'
import { checkRunning } from '@/doctor/running-check'
import { checkSecrets } from '@/doctor/secrets-check'
import { checkSettings } from '@/doctor/settings-check'
import { checkUrl } from '@/doctor/url-check'
import { checkVersions } from '@/doctor/versions-check'

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
    ...checkFiles(facts),
  ]
}
