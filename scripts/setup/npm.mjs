import { basename, join } from 'node:path'
import { lineForCode, Stop } from '../failure.mjs'
import { cacheFolder } from '../paths.mjs'
import { runLogged } from '../processes.mjs'

const log = join(cacheFolder, 'install.log')
const unreachable =
  /^(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR)$/

/** Runs `npm install`. Throws a Stop with one line when it fails. */
export async function npmInstall(flags, { onActivity, onStart }) {
  const [command, ...first] = npmCommand()
  const { code, lines, error } = await runLogged(
    command,
    // The build needs the development dependencies, whatever NODE_ENV says.
    [...first, 'install', '--no-audit', '--no-fund', '--include=dev', '--loglevel=http', ...flags],
    {
      log,
      onStart,
      onLine: activityReader(onActivity),
      env: { ...patience, ...process.env },
      shell: process.platform === 'win32' && command === 'npm',
    },
  )
  if (error?.code === 'ENOENT') throw new Stop('npm was not found: it comes with Node.')
  if (code !== 0) throw failureOf(lines)
}

export function failureOf(lines) {
  const errors = lines.filter((line) => /^npm (error|ERR!)/.test(line)).map(withoutPrefix)
  const code = fieldOf('code', errors)
  if (unreachable.test(code ?? '')) {
    return new Stop(
      `No network: npm could not reach its registry (${code}). Connect, or give npm a proxy, and try again.`,
    )
  }
  const line = lineForCode(code, fieldOf('path', errors))
  if (line) return new Stop(line)
  return new Stop(`npm install failed. All of its output: ${log}`, errors.slice(0, 30))
}

// npm's own waits between tries add up to more than a minute before it says that nobody answers.
const patience = {
  npm_config_fetch_retries: '3',
  npm_config_fetch_retry_factor: '2',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_prefer_offline: 'true',
}

function npmCommand() {
  const started = process.env.npm_execpath
  if (started && basename(started) === 'npm-cli.js') return [process.execPath, started]
  return ['npm']
}

function activityReader(onActivity) {
  let count = 0
  return (line) => {
    const tarball = line.match(/\/([^/]+)\.tgz\b/)
    const packument = line.match(/^npm http (?:fetch|cache) .*?\/([^/\s]+) /)
    if (tarball) count += 1
    const name = tarball?.[1] ?? packument?.[1]
    if (name) onActivity(`${count} fetched, ${decodeURIComponent(name)}`)
  }
}

function withoutPrefix(line) {
  return line.replace(/^npm (error|ERR!) ?/, '')
}

function fieldOf(field, errors) {
  return errors.find((line) => line.startsWith(`${field} `))?.slice(field.length + 1)
}
