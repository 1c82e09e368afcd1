import { type Env, env } from '@/core/config/env'

/** Replaces the settings of this process. */
export function replaceSettings(next: Env): void {
  for (const name of Object.keys(env())) Reflect.deleteProperty(env(), name)
  Object.assign(env(), next)
}
