import { problemDetail } from '@/core/http/problems'

type ErrorQuery = { error: string | undefined; code: string | undefined }

/** The Auth.js client uses its own error codes. */
export function signInError({ error, code }: ErrorQuery): string | undefined {
  if (error === 'MissingCSRF') return problemDetail('csrf_mismatch')
  if (error !== 'CredentialsSignin') return problemDetail(error)
  return problemDetail(code === 'credentials' ? 'invalid_credentials' : code)
}
