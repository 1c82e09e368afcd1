import { productName } from '@/core/config/product-name'
import type { Finding, Level } from '@/doctor/facts'

export type Counts = Record<Level, number>

export function countLevels(findings: readonly Finding[]): Counts {
  const counts: Counts = { error: 0, warning: 0, ok: 0 }
  for (const { level } of findings) counts[level] += 1
  return counts
}

type Format = { width: number; colors: boolean }

/** For terminals: one group per check, with the remedy below each problem. */
export function formatReport(findings: readonly Finding[], { width, colors }: Format): string {
  const paint = (code: string, text: string) => (colors ? `\x1b[${code}m${text}\x1b[0m` : text)
  const checks = [...new Set(findings.map(({ check }) => check))]
  const groups = checks.map((check) => {
    const lines = findings
      .filter((finding) => finding.check === check)
      .flatMap(({ level, message, remedy }) => [
        ...row(paint(colorOf[level], level.padEnd(labels)), message, width),
        ...(remedy ? row(' '.repeat(labels), remedy, width, '→ ') : []),
      ])
    return [paint('1', capitalize(check)), ...lines].join('\n')
  })
  return [`${productName} doctor`, ...groups, summary(countLevels(findings))].join('\n\n')
}

const colorOf: Record<Level, string> = { error: '31', warning: '33', ok: '32' }

const labels = 'warning'.length

function row(label: string, text: string, width: number, mark = ''): string[] {
  const indent = labels + 4 + mark.length
  return wrapText(text, width - indent).map((line, at) =>
    at === 0 ? `  ${label}  ${mark}${line}` : `${' '.repeat(indent)}${line}`,
  )
}

function summary({ error, warning, ok }: Counts): string {
  const errors = error === 1 ? '1 error' : `${error} errors`
  const warnings = warning === 1 ? '1 warning' : `${warning} warnings`
  return `${errors}, ${warnings}, ${ok} ok.`
}

function capitalize(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}

/** Breaks text between words. A word that is longer than the width stays whole. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else {
      lines.push(word)
    }
  }
  return lines
}
