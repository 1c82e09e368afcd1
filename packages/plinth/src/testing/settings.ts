import { type Env, env, parseEnv } from '#config/env'

/** A generated secret would need a DATA_DIR. */
export const authSecret = 'only-for-tests-'.repeat(3)

/** Replaces the settings of this process with the defaults of the tests and these. */
export function configure(settings: Record<string, string>): void {
  const defaults = { ...process.env, AUTH_SECRET: authSecret, TRUST_PROXY: '1' }
  replaceSettings(parseEnv({ ...defaults, ...settings }))
}

/** Replaces the settings of this process. */
export function replaceSettings(next: Env): void {
  for (const name of Object.keys(env())) Reflect.deleteProperty(env(), name)
  Object.assign(env(), next)
}
