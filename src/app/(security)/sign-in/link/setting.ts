import { env } from 'plinth/config/env'

export function hasSignInLinks(): boolean {
  return env().SIGN_IN_LINK === 'on'
}
