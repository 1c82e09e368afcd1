import { env, parseEnv } from '@/core/env'

const settings = { ...process.env, AUTH_SECRET: 'only-for-tests-'.repeat(3), TRUST_PROXY: '1' }

/** The settings of this process from now on: these, and otherwise those that all tests begin with. */
export function configure(more: Record<string, string>): void {
  const wanted = parseEnv({ ...settings, ...more })
  for (const name of Object.keys(env())) Reflect.deleteProperty(env(), name)
  Object.assign(env(), wanted)
}
