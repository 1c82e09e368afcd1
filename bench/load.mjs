import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  canInstallPackages,
  findProgram,
  installPackage,
} from '../packages/plinth/scripts/services/programs.mjs'

const run = promisify(execFile)

export const connections = 32

/** wrk, because a load generator in Node would take CPU time from the measured server. */
export async function findLoadGenerator() {
  if (!findProgram('wrk') && canInstallPackages()) await installPackage('wrk')
  const wrk = findProgram('wrk')
  if (!wrk) throw new Error('wrk not found. Install it: apt-get install wrk, or brew install wrk.')
  return wrk
}

/**
 * Requests per second, and p50 and p99 latency in milliseconds. With a `server`, also its CPU time
 * for each request in milliseconds, which depends less on what else the machine does.
 */
export async function load(wrk, url, seconds, { headers = {}, script, server } = {}) {
  const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const settings = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '10s']
  const scriptArgs = script ? ['-s', script] : []
  const cpuBefore = server?.cpuMs()
  const { stdout } = await run(wrk, [...settings, ...headerArgs, ...scriptArgs, url])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} failed under load:\n${stdout}`)
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50: milliseconds(stdout, '50%'),
    p99: milliseconds(stdout, '99%'),
    cpu: (server?.cpuMs() - cpuBefore) / Number(/(\d+) requests in/.exec(stdout)?.[1]),
  }
}

const units = { us: 0.001, ms: 1, s: 1000 }

function milliseconds(text, percentile) {
  const [, value, unit] = new RegExp(`${percentile}\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? []
  return Number(value) * units[unit]
}

export function median(values) {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
