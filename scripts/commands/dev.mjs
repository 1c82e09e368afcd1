import { CommandError } from '../errors.mjs'
import { developmentProviders } from '../modules/find-modules.mjs'
import { updateModules } from '../modules/generated.mjs'
import { nextBin, root } from '../paths.mjs'
import { runAttached } from '../processes.mjs'
import { install } from '../setup/install.mjs'

export async function run(args) {
  refuseHostAndPort(args)
  await install()
  await updateModules()
  const settings = await readSettings()
  const { PORT = '3000', HOST = '127.0.0.1' } = settings
  const env = {
    ...process.env,
    ...developmentProviders(settings, { host: HOST, port: PORT }),
    NEXT_TELEMETRY_DISABLED: '1',
    // Where a system lists ::1 first, `localhost` would leave 127.0.0.1 closed.
    NODE_OPTIONS: [process.env.NODE_OPTIONS, '--dns-result-order=ipv4first'].join(' ').trim(),
  }
  // Next prints the name that it listens at, and passkeys need this one.
  const hostname = HOST === '127.0.0.1' ? 'localhost' : HOST
  const { code } = await runAttached(
    process.execPath,
    [nextBin, 'dev', '-p', PORT, '-H', hostname, ...args],
    { env },
  )
  process.exitCode = code
}

/** The app reads HOST to refuse unsafe defaults on a public interface, so it must know the real one. */
function refuseHostAndPort(args) {
  const flag = args.find((arg) => /^(-H|-p|--hostname|--port)/.test(arg))
  if (!flag) return
  throw new CommandError(
    `${flag} is not supported. Set HOST and PORT: HOST=127.0.0.1 PORT=3001 npm run dev`,
  )
}

/** Includes .env, which `next dev` reads after it has chosen its port. */
async function readSettings() {
  const { default: nextEnv } = await import('@next/env')
  const environment = { ...process.env }
  const { parsedEnv } = nextEnv.loadEnvConfig(root, true, { info() {}, error() {} })
  return { ...parsedEnv, ...environment }
}
