import 'server-only'
import { createHash } from 'node:crypto'
import { env } from '@/core/config/env'
import { productName } from '@/core/config/product-name'
import { log } from '@/core/log/log'

const timeoutMs = 1_000

/**
 * Whether the password is in a known data breach, according to Have I Been Pwned. It gets the first
 * five characters of the SHA-1 hash, which thousands of passwords share, and pads its response, so
 * that the length tells nothing. Without a response in time the password passes: a new password must
 * not depend on another service.
 */
export async function isBreached(password: string): Promise<boolean> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const prefix = hash.slice(0, 5)
  try {
    const response = await fetch(`${env().PASSWORD_BREACH_URL}/range/${prefix}`, {
      headers: { 'add-padding': 'true', 'user-agent': productName },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`It responded with ${response.status}.`)
    return hasSuffix(await response.text(), hash.slice(5))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log().warn({ reason }, 'the password was not checked for breaches')
    return false
  }
}

/** Each line is a suffix and a count. Padding has the count 0. */
function hasSuffix(text: string, suffix: string): boolean {
  return text.split(/\r?\n/).some((line) => {
    const [found, count] = line.split(':')
    return found === suffix && Number(count) > 0
  })
}
