import { resolve } from 'node:path'
import type { Finding } from '@/core/doctor/finding'
import { run } from './program'

export type Diagnosis = {
  code: number | NodeJS.Signals
  findings: Finding[]
  /** Those of one check that are not fine, as `level: what`. */
  wrong(check: string): string[]
  text: string
}

type Patient = {
  settings: Record<string, string>
  words?: string[]
  folder?: string
}

/** Runs the built program with these settings, and reads what it answers. */
export async function askDoctor({ words = [], ...patient }: Patient): Promise<Diagnosis> {
  const { code, text } = await runDoctor({ ...patient, words: ['--json', ...words] })
  const { findings } = JSON.parse(text) as { findings: Finding[] }
  const wrong = (check: string) =>
    findings
      .filter((finding) => finding.check === check && finding.level !== 'fine')
      .map(({ level, what }) => `${level}: ${what}`)
  return { code, findings, wrong, text }
}

export async function runDoctor({ settings, words = [], folder }: Patient) {
  const program = run(
    process.execPath,
    [resolve('dist/doctor.js'), ...words],
    { NODE_ENV: 'production', ...nobodyAnswers, ...settings },
    folder,
  )
  return { code: await program.ended, text: program.output() }
}

/** Port 1 is nobody's. */
const nobodyAnswers = { PORT: '1', HOST: '127.0.0.1' }
