import { createHash } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'
import { appConfig } from '#config/app-config'
import { env } from '#config/env'
import { lazy } from '#config/lazy'
import { readResponseUpTo } from '#http/limited-response'
import { log } from '#log/log'
import { fetchInSpan } from '#log/trace'
import {
  type Guess,
  guessedFrom,
  isMostly,
  type PasswordOwner,
  plainForm,
} from '#universal/guessable-password'

const tooEasy = 'This password is too easy to guess. Try a few unrelated words.'

const refusedWord =
  'This password is mostly a word that everyone here knows. Try a few unrelated words.'

const messages: Record<Guess, string> = {
  email: 'Your password cannot be your email.',
  name: 'This password is mostly your name. Try a few unrelated words.',
  demo: 'This password is published with the demo accounts. Choose another one.',
  keyboard:
    'This password is too easy to guess: its keys are side by side. Try a few unrelated words.',
  pattern: tooEasy,
}

/** Why a password of the right length is rejected, or undefined. */
export async function passwordError(
  password: string,
  owner: PasswordOwner,
): Promise<string | undefined> {
  const guess = guessedFrom(password, owner)
  if (guess) return messages[guess]
  const plain = plainForm(password)
  if (isCommon(plain)) return tooEasy
  const { refusedWords } = appConfig().passwords
  if (refusedWords.some((word) => isMostly(plain, word))) return refusedWord
  if (env().PASSWORD_BREACH_CHECK === 'on' && (await isBreached(password))) {
    return 'This password was found in a data breach of another site. Choose one that you use nowhere else.'
  }
  return undefined
}

/** A common password, alone or with up to four digits and signs appended. */
function isCommon(plain: string): boolean {
  const word = plain.replace(/[\p{N}\p{P}\p{S}]{1,4}$/u, '')
  return commonPasswords().has(plain) || commonPasswords().has(word)
}

/** About 50,000, from the lists that attackers try first. */
const commonPasswords = lazy(() => new Set(dictionary['passwords-common']))

const timeoutMs = 1_000
/** Five times as much as a padded response has. */
const maxBytes = 256 * 1024

/**
 * Whether the password is in a known data breach, according to Have I Been Pwned. It gets the first
 * five characters of the SHA-1 hash, which thousands of passwords share, and pads its response, so
 * that the length tells nothing. Without a response in time the password passes: a new password must
 * not depend on another service.
 */
async function isBreached(password: string): Promise<boolean> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const prefix = hash.slice(0, 5)
  try {
    const response = await fetchInSpan(`${env().PASSWORD_BREACH_URL}/range/${prefix}`, {
      headers: { 'add-padding': 'true', 'user-agent': appConfig().name },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`It responded with ${response.status}.`)
    const body = await readResponseUpTo(maxBytes, response)
    return hasSuffix(body.toString(), hash.slice(5))
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
