import { connection } from '@/core/db/client'
import { singleton } from '@/core/singleton'

const every = 1000
const limit = 1000

type Check = { healthy: boolean; at: number; running: Promise<boolean> | undefined }

const lastCheck = singleton(
  'health',
  (): Check => ({ healthy: false, at: Number.NEGATIVE_INFINITY, running: undefined }),
)

/** Whether the database answers; asked at most once a second, however many want to know. */
export function isHealthy(now = performance.now()): boolean | Promise<boolean> {
  if (now - lastCheck.at < every) return lastCheck.healthy
  lastCheck.running ??= check()
  return lastCheck.running
}

/**
 * Answers at once while it is known; whoever comes when it is not waits for it. False when nobody
 * will be answered.
 */
export function whenHealthy(now: number, answer: () => void, giveUp: () => void): boolean {
  const known = isHealthy(now)
  if (known === true) answer()
  else if (known === false) return false
  else known.then((is) => (is ? answer() : giveUp()))
  return true
}

async function check(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, limit, false)
  })
  const answered = Promise.resolve()
    .then(() => connection().ping())
    .then(
      () => true,
      () => false,
    )
  const healthy = await Promise.race([answered, late])
  clearTimeout(timer)
  Object.assign(lastCheck, { healthy, at: performance.now(), running: undefined })
  return healthy
}
