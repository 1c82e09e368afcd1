import 'server-only'
import { singleton } from '@/core/config/singleton'
import { connection } from '@/core/db/client'

const intervalMs = 1000
const timeoutMs = 1000

type Check = { healthy: boolean; at: number; running: Promise<boolean> | undefined }

const lastCheck = singleton(
  'health',
  (): Check => ({ healthy: false, at: Number.NEGATIVE_INFINITY, running: undefined }),
)

/** Whether the database responds. Checked at most once a second, however many callers there are. */
export function isHealthy(now = performance.now()): boolean | Promise<boolean> {
  if (now - lastCheck.at < intervalMs) return lastCheck.healthy
  lastCheck.running ??= check()
  return lastCheck.running
}

/**
 * Responds immediately if the last check is recent, and after the next check otherwise. False if the
 * last check is recent and failed.
 */
export function whenHealthy(now: number, respond: () => void, fallBack: () => void): boolean {
  const healthy = isHealthy(now)
  if (healthy === true) respond()
  else if (healthy === false) return false
  else healthy.then((isNowHealthy) => (isNowHealthy ? respond() : fallBack()))
  return true
}

async function check(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  const responded = Promise.resolve()
    .then(() => connection().ping())
    .then(
      () => true,
      () => false,
    )
  const healthy = await Promise.race([responded, timeout])
  clearTimeout(timer)
  Object.assign(lastCheck, { healthy, at: performance.now(), running: undefined })
  return healthy
}
