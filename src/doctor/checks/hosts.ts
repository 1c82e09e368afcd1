import { splitDatabaseUrl } from '@/core/config/setting-types'
import { askServer } from '@/core/db/postgres/server-state'
import { explainConnectError } from '@/core/db/startup-errors'
import { type Finding, reporter } from '@/doctor/finding'

const { error, warning, ok } = reporter('database')

const limitMs = 2_000

/** One finding for each of several hosts: whether it responds, and which one takes writes. */
export async function checkHosts(url: string): Promise<Finding[]> {
  const { urls } = splitDatabaseUrl(url)
  if (urls.length === 1) return []
  const writers: string[] = []
  const findings = await Promise.all(
    urls.map(async (each) => {
      const { host } = new URL(each)
      try {
        const { readOnly } = await askServer(each, limitMs)
        if (!readOnly) writers.push(host)
        return ok(readOnly ? `${host} takes no writes.` : `${host} takes writes.`)
      } catch (thrown) {
        const { problem, remedy } = explainConnectError(thrown, host)
        return warning(problem, remedy)
      }
    }),
  )
  if (writers.length < 2) return findings
  const message = `Several hosts take writes: ${writers.sort().join(', ')}.`
  return [...findings, error(message, 'Stop all but the primary. What others are sent is lost.')]
}
