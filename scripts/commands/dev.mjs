import { developmentProviders } from '../development-providers.mjs'
import { Stop } from '../failure.mjs'
import { updateModules } from '../modules/generated.mjs'
import { nextBin, root } from '../paths.mjs'
import { runAttached } from '../processes.mjs'
import { install } from '../setup/install.mjs'

export async function run(args) {
  refuseAddress(args)
  await install()
  await updateModules()
  const given = await settings()
  const { PORT = '3000', HOST = '127.0.0.1' } = given
  const env = {
    ...process.env,
    ...developmentProviders(given, { host: HOST, port: PORT }),
    NEXT_TELEMETRY_DISABLED: '1',
  }
  const { code } = await runAttached(
    process.execPath,
    [nextBin, 'dev', '-p', PORT, '-H', HOST, ...args],
    { env },
  )
  process.exitCode = code
}

/** The address is a setting: what it opens to others is checked against it. */
function refuseAddress(args) {
  const given = args.find((arg) => /^(-H|-p|--hostname|--port)/.test(arg))
  if (given)
    throw new Stop(`Set HOST and PORT instead of ${given}: HOST=127.0.0.1 PORT=3001 npm run dev`)
}

/** With those of .env, which `next dev` reads too late to choose its port. */
async function settings() {
  const { default: nextEnv } = await import('@next/env')
  const given = { ...process.env }
  const { parsedEnv } = nextEnv.loadEnvConfig(root, true, { info() {}, error() {} })
  return { ...parsedEnv, ...given }
}
