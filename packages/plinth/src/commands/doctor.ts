import { parseArgs } from 'node:util'
import { print } from '#commands/command'
import { isStartupError, StartupError } from '#config/env'
import { loadEnvFiles } from '#config/env-files'
import { modulesWithMigrations } from '#db/migrate/plan'
import {
  checkRolling,
  countLevels,
  formatReport,
  rollingExitCode,
  runChecks,
} from '#doctor/run-checks'
import { loadApp } from '#server/load-app'

/** `npm run doctor`: checks this installation and prints a report. */
export async function doctorCommand(args: string[]): Promise<void> {
  loadEnvFiles()
  try {
    const { url, json, strict, rolling } = readArguments(args)
    const installation = { source: process.env, url, folder: process.cwd() }
    const findings = rolling
      ? await checkRolling({ ...installation, modules: modulesWithMigrations() })
      : await runChecks({ ...installation, modules: await loadApp() })
    const counts = countLevels(findings)
    const { isTTY, columns } = process.stdout
    const format = {
      width: Math.min(Math.max(columns || 80, 40), 80),
      colors: isTTY && !process.env.NO_COLOR,
    }
    const output = json
      ? JSON.stringify({ findings, ...counts }, undefined, 2)
      : formatReport(findings, format)
    print(output)
    process.exitCode = rolling
      ? rollingExitCode(findings)
      : Number(counts.error > 0 || (strict && counts.warning > 0))
  } catch (error) {
    if (!isStartupError(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  }
}

function readArguments(args: string[]) {
  const usage = 'npm run doctor -- [--url https://app.example.com] [--json] [--strict] [--rolling]'
  try {
    const { values } = parseArgs({
      args,
      options: {
        url: { type: 'string' },
        json: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        rolling: { type: 'boolean', default: false },
      },
    })
    if (values.url === undefined) return { ...values, url: undefined }
    const { protocol, origin } = new URL(values.url)
    if (!/^https?:$/.test(protocol)) throw new TypeError(protocol)
    return { ...values, url: origin }
  } catch {
    throw new StartupError(`Usage: ${usage}`)
  }
}
