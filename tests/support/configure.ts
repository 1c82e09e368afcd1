import { env, parseEnv } from '@/core/config/env'

const settings = { ...process.env, AUTH_SECRET: 'only-for-tests-'.repeat(3), TRUST_PROXY: '1' }

/** Replaces the settings of this process with the defaults of the tests and these. */
export function configure(more: Record<string, string>): void {
  const next = parseEnv({ ...settings, ...more })
  for (const name of Object.keys(env())) Reflect.deleteProperty(env(), name)
  Object.assign(env(), next)
}
