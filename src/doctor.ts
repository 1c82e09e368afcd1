import { parseArgs } from 'node:util'
import nextEnv from '@next/env'
import { examine } from '@/core/doctor/examine'
import { countLevels, reportFor } from '@/core/doctor/report'
import { isStartRefused, StartRefused } from '@/core/start-refused'
import { modules } from '@/modules'

/** What `npm run doctor` runs: all that is wrong with this installation, on one screen. */

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })

try {
  const { url, json, strict } = readArguments(process.argv.slice(2))
  const findings = await examine({ source: process.env, modules, url, folder: process.cwd() })
  const counts = countLevels(findings)
  const { isTTY, columns } = process.stdout
  const look = {
    width: Math.min(Math.max(columns || 80, 40), 80),
    colours: isTTY && !process.env.NO_COLOR,
  }
  const answer = json
    ? JSON.stringify({ findings, ...counts }, undefined, 2)
    : reportFor(findings, look)
  process.stdout.write(`${answer}\n`)
  process.exitCode = counts.error > 0 || (strict && counts.warning > 0) ? 1 : 0
} catch (error) {
  if (!isStartRefused(error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

function readArguments(args: string[]) {
  const use = 'npm run doctor -- [--url https://app.example.com] [--json] [--strict]'
  try {
    const { values } = parseArgs({
      args,
      options: {
        url: { type: 'string' },
        json: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
      },
    })
    if (values.url === undefined) return { ...values, url: undefined }
    const { protocol, origin } = new URL(values.url)
    if (!/^https?:$/.test(protocol)) throw new TypeError(protocol)
    return { ...values, url: origin }
  } catch {
    throw new StartRefused(`Say what you want: ${use}`)
  }
}
