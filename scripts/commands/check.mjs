import { check } from '../check/check.mjs'
import { install } from '../setup/install.mjs'

export async function run() {
  await install()
  const { failed } = await check()
  if (failed > 0) process.exitCode = 1
}
