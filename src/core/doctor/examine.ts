import { checkAddress } from '@/core/doctor/address-check'
import { checkCors } from '@/core/doctor/cors-check'
import { type Facts, gatherFacts } from '@/core/doctor/facts'
import { checkFiles } from '@/core/doctor/files-check'
import type { Finding } from '@/core/doctor/finding'
import { lookIntoDatabase } from '@/core/doctor/look-into-database'
import { checkMail } from '@/core/doctor/mail-check'
import { checkRunning } from '@/core/doctor/running-check'
import { checkSecrets } from '@/core/doctor/secrets-check'
import { checkSettings } from '@/core/doctor/settings-check'
import { checkVersions } from '@/core/doctor/versions-check'

type Patient = {
  source: Readonly<Record<string, string | undefined>>
  modules: readonly { id: string }[]
  /** Where it runs, if not at AUTH_URL. */
  url: string | undefined
  folder: string
}

/** Everything that can be said of this installation, in the order in which it is read. */
export async function examine({ source, modules, url, folder }: Patient): Promise<Finding[]> {
  const facts: Facts = gatherFacts(source, url, folder)
  const [running, database] = await Promise.all([
    checkRunning(facts),
    lookIntoDatabase(facts, modules),
  ])
  return [
    ...checkSettings(facts),
    ...checkSecrets(facts),
    ...checkAddress(facts),
    ...running,
    ...database,
    ...checkMail(facts),
    ...checkCors(facts),
    ...checkVersions(facts),
    ...checkFiles(facts),
  ]
}
