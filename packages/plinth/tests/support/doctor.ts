import { runChecks } from '#doctor/run-checks'
import type { Finding } from '#modules/module'
import { run } from '#testing/program'
import { engineCommand } from '#testing/server/engine-command'
import { modules } from '@/modules'

export type DoctorReport = {
  findings: Finding[]
  /** The errors and warnings of one check, as `level: message`. */
  issues(check: string): string[]
  text: string
}

export type DoctorResult = DoctorReport & { code: number | NodeJS.Signals }

type Options = {
  settings: Record<string, string>
  args?: string[]
  folder?: string
}

/** Runs the checks in this process, which is faster than the program. */
export async function runDoctorChecks(settings: Record<string, string>): Promise<DoctorReport> {
  const source = { ...process.env, NODE_ENV: 'production', ...unusedPort, ...settings }
  const findings = await runChecks({ source, modules, url: undefined, folder: process.cwd() })
  return report(findings, JSON.stringify(findings))
}

/** Runs the built program with `--json` and parses its output. */
export async function runDoctor({ args = [], ...options }: Options): Promise<DoctorResult> {
  const { code, text } = await runDoctorProgram({ ...options, args: ['--json', ...args] })
  const { findings } = JSON.parse(text) as { findings: Finding[] }
  return { code, ...report(findings, text) }
}

function report(findings: Finding[], text: string): DoctorReport {
  const issues = (check: string) =>
    findings
      .filter((finding) => finding.check === check && finding.level !== 'ok')
      .map(({ level, message }) => `${level}: ${message}`)
  return { findings, issues, text }
}

export async function runDoctorProgram({ settings, args = [], folder }: Options) {
  const program = run(
    ...engineCommand('doctor', ...args),
    { NODE_ENV: 'production', ...unusedPort, ...settings },
    folder,
  )
  return { code: await program.exited, text: program.output() }
}

/** Nothing listens on port 1. */
const unusedPort = { PORT: '1', HOST: '127.0.0.1' }
