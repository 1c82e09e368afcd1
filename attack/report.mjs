import { printTable } from '../bench/table.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'

const maxEvidence = 8
const maxLength = 600

/** Sets the exit code to 1 if an attack succeeded. */
export function printReport(families) {
  const rows = families.map(({ name, results }) => rowOf(name, results))
  const total = rowOf(
    'total',
    families.flatMap(({ results }) => results),
  )
  print()
  printTable(['family', 'attacks', 'cases', 'held', 'bypassed', 'skipped'], [...rows, total])
  for (const { name, results } of families) {
    for (const result of results) printDetails(name, result)
  }
}

function rowOf(name, results) {
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length
  const cases = results.reduce((sum, result) => sum + (result.cases ?? 0), 0)
  return [name, results.length, cases, count('held'), count('bypassed'), count('skipped')]
}

function printDetails(family, { name, outcome, bypass, evidence = [], reason, measured }) {
  if (measured) print(`\nMeasured: ${family}, ${name}: ${measured}`)
  if (outcome === 'skipped') print(`\nSkipped: ${family}, ${name}: ${reason}`)
  if (outcome !== 'bypassed') return
  process.exitCode = 1
  print(`\nBYPASSED: ${family}, ${name}`)
  print(`  ${bypass}`)
  for (const line of evidence.slice(0, maxEvidence)) print(`  - ${line.slice(0, maxLength)}`)
  if (evidence.length > maxEvidence) print(`  and ${evidence.length - maxEvidence} more`)
}
