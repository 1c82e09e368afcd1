import { type ProblemCode, problems } from '@/core/http/problems'

type Told = { error: string | undefined; code: string | undefined }

/** Texts come from the list of problems; an unknown code says nothing. */
export function whatHappened(told: Told): string | undefined {
  const code = ownCode(told)
  if (code === undefined || !Object.hasOwn(problems, code)) return undefined
  return problems[code as ProblemCode][2]
}

/** Auth.js's client comes with that library's names for them. */
function ownCode({ error, code }: Told): string | undefined {
  if (error === 'MissingCSRF') return 'csrf_mismatch'
  if (error !== 'CredentialsSignin') return error
  return code === 'credentials' ? 'invalid_credentials' : code
}
