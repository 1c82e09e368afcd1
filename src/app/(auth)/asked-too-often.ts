import { type Refusal, refuse } from '@/core/guard/action-result'
import type { Allowance } from '@/core/limits/allow'

/** The same whether or not the address has an account. */
export function askedTooOften({ seconds }: Allowance): Refusal {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return refuse('rate_limited', `Mail was asked for too often. Try again in ${wait}.`)
}
