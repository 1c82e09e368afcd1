import { print } from '../packages/plinth/scripts/terminal.mjs'

/** The first column is aligned to the left, the others to the right. */
export function printTable(headings, rows) {
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => String(line[column]).length)),
  )
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      column === 0 ? String(cell).padEnd(widths[column]) : String(cell).padStart(widths[column]),
    )
    print(`  ${cells.join('  ')}`)
  }
}

/** Sets the exit code to 1 if a target is missed. */
export function printTargets(targets) {
  const width = Math.max(...targets.map(({ target }) => target.length))
  for (const { target, measured, met } of targets) {
    print(`  ${target.padEnd(width)}  ${measured.padStart(9)}  ${met ? 'met' : 'MISSED'}`)
    if (!met) process.exitCode = 1
  }
}
