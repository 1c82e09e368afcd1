import 'server-only'
import { type Refusal, refuse } from '@/core/guard/action-result'
import type { Allowance } from '@/core/limits/allow'

/** The same whether or not the address has an account. */
export function askedTooOften(allowance: Allowance): Refusal {
  return tooOften('Mail was asked for too often.', allowance)
}

export function wrongTooOften(allowance: Allowance): Refusal {
  return tooOften('A wrong password was given too often.', allowance)
}

function tooOften(what: string, { seconds }: Allowance): Refusal {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return refuse('rate_limited', `${what} Try again in ${wait}.`)
}
