import nextEnv from '@next/env'

/** Sets what `.env` has and the environment has not. */
export function loadEnvFiles(): void {
  nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })
}
