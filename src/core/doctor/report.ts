import type { Finding, Level } from '@/core/doctor/finding'
import { wrap } from '@/core/doctor/wrap'
import { productName } from '@/core/name'

export type Counts = Record<Level, number>

export function countLevels(findings: readonly Finding[]): Counts {
  const counts: Counts = { error: 0, warning: 0, fine: 0 }
  for (const { level } of findings) counts[level] += 1
  return counts
}

type Look = { width: number; colours: boolean }

/** For people: a group for each check, and under what is wrong what to do about it. */
export function reportFor(findings: readonly Finding[], { width, colours }: Look): string {
  const paint = (code: string, text: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text)
  const checks = [...new Set(findings.map(({ check }) => check))]
  const groups = checks.map((check) => {
    const lines = findings
      .filter((finding) => finding.check === check)
      .flatMap(({ level, what, remedy }) => [
        ...beside(paint(colourOf[level], level.padEnd(labels)), what, width),
        ...(remedy ? beside(' '.repeat(labels), remedy, width, '→ ') : []),
      ])
    return [paint('1', capitalised(check)), ...lines].join('\n')
  })
  return [`${productName}: how this installation is`, ...groups, sum(countLevels(findings))].join(
    '\n\n',
  )
}

const colourOf: Record<Level, string> = { error: '31', warning: '33', fine: '32' }

const labels = 'warning'.length

function beside(label: string, text: string, width: number, mark = ''): string[] {
  const indent = labels + 4 + mark.length
  return wrap(text, width - indent).map((line, at) =>
    at === 0 ? `  ${label}  ${mark}${line}` : `${' '.repeat(indent)}${line}`,
  )
}

function sum({ error, warning, fine }: Counts): string {
  const errors = error === 1 ? '1 error' : `${error} errors`
  const warnings = warning === 1 ? '1 warning' : `${warning} warnings`
  return `${errors}, ${warnings}, ${fine} fine.`
}

function capitalised(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}
