import { build } from '../build/build.mjs'
import { install } from '../setup/install.mjs'

export async function run() {
  await install()
  await build()
}
