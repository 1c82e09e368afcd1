import { say } from '../scripts/terminal.mjs'

/** Rows under their headings: the first column to the left, figures to the right. */
export function printTable(headings, rows) {
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => String(line[column]).length)),
  )
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      column === 0 ? String(cell).padEnd(widths[column]) : String(cell).padStart(widths[column]),
    )
    say(`  ${cells.join('  ')}`)
  }
}

/** Says of each aim whether it was reached; the exit code says whether all were. */
export function printAims(aims) {
  const width = Math.max(...aims.map(({ aim }) => aim.length))
  for (const { aim, measured, reached } of aims) {
    say(`  ${aim.padEnd(width)}  ${measured.padStart(9)}  ${reached ? 'reached' : 'NOT REACHED'}`)
    if (!reached) process.exitCode = 1
  }
}
