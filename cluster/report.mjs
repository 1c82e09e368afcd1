import { printTable } from '../bench/table.mjs'
import { print } from '../packages/plinth/scripts/terminal.mjs'

const maxEvidence = 8
const headings = [
  'event',
  'requests',
  'writes',
  'lost',
  'wrong',
  'cut off',
  'forms',
  'lost',
  'longest wait',
  '503 for',
]

/**
 * Sets the exit code to 1 if a promise was broken. The short run does not judge waits, so that other
 * work may run beside it.
 */
export function printReport(results, { short }) {
  print()
  printTable(headings, results.map(rowOf))
  for (const result of results) {
    printBroken(`${result.name}: acknowledged writes lost`, result.lostWrites, describeWrite)
    printBroken(`${result.name}: wrong responses`, result.wrong, describeSample)
    printBroken(`${result.name}: forms lost`, result.lostForms, describeForm)
    if (!short) printBroken(`${result.name}: waits over 2.5 s`, result.slow, describeSample)
  }
}

/** Prints the errors that the instances logged, if a promise was broken. */
export function printErrors(instances) {
  for (const { name, log } of instances) {
    const errors = log().filter((line) => /"level":"(error|fatal)"|^[^{]/.test(line))
    if (errors.length > 0) print(`\nLog of instance ${name}: ${errors.length} errors`)
    for (const line of errors.slice(0, maxEvidence)) print(`  ${line.slice(0, 600)}`)
  }
}

function rowOf(result) {
  return [
    result.name,
    result.requests,
    result.writes,
    result.lostWrites.length,
    result.wrong.length,
    result.cutOff.length,
    result.forms,
    result.lostForms.length,
    `${(result.longestMs / 1000).toFixed(2)} s`,
    `${result.unavailableSeconds.toFixed(1)} s`,
  ]
}

function printBroken(title, found, lineFor) {
  if (found.length === 0) return
  process.exitCode = 1
  print(`\nBROKEN: ${title}: ${found.length}`)
  for (const one of firstOfEachClient(found).slice(0, maxEvidence))
    print(`  - ${lineFor(one).slice(0, 500)}`)
  if (found.length > maxEvidence) print(`  and ${found.length - maxEvidence} more`)
}

/** So that one kind of failure does not hide the others. */
function firstOfEachClient(found) {
  const clients = new Set()
  const first = found.filter(({ client }) => !clients.has(client) && clients.add(client))
  return [...first, ...found.filter((one) => !first.includes(one))]
}

function describeForm({ client, title, detail }) {
  return `${client}: ${title}: ${detail}`
}

function describeWrite({ client, kind, key }) {
  return kind === 'article' ? `${client}: ${key}` : kind
}

function describeSample({ client = '', detail, status, waitMs = 0 }) {
  return `${client}: ${detail ?? status} (${Math.round(waitMs)} ms)`
}
