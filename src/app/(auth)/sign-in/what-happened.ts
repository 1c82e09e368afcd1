import { textOfProblem } from '@/core/http/problems'

type Told = { error: string | undefined; code: string | undefined }

/** Auth.js's client comes with that library's names for what went wrong. */
export function whatHappened({ error, code }: Told): string | undefined {
  if (error === 'MissingCSRF') return textOfProblem('csrf_mismatch')
  if (error !== 'CredentialsSignin') return textOfProblem(error)
  return textOfProblem(code === 'credentials' ? 'invalid_credentials' : code)
}
