import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { inRoot } from '../packages/plinth/scripts/paths.mjs'
import { areas } from './areas.mjs'

/** The share of the valid mutants of an area that tests must notice, in percent. */
export const requiredScore = 80

export const reportOf = (name) => `mutation/reports/${name}.json`

/** `undefined` if the area was never run here. */
export async function readResult(name) {
  const text = await readFile(inRoot(reportOf(name)), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const mutants = Object.entries(JSON.parse(text).files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file, original: textAt(source, mutant.location) })),
  )
  const having = (...statuses) => mutants.filter(({ status }) => statuses.includes(status))
  const noticed = having('Killed', 'Timeout').length
  const survivors = having('Survived', 'NoCoverage')
  const valid = noticed + survivors.length
  return {
    name,
    valid,
    noticed,
    survivors,
    disabled: having('Ignored').length,
    score: valid === 0 ? 100 : (100 * noticed) / valid,
  }
}

export function summaryLine({ name, valid, noticed, score, disabled }) {
  const left = disabled > 0 ? `, ${disabled} disabled` : ''
  return `${name}: ${noticed} of ${valid} mutants noticed, ${score.toFixed(1)} %${left}`
}

/** A table of all areas, and each mutant that no test notices. */
export async function writeResults() {
  const results = (await Promise.all(Object.keys(areas).map(readResult))).filter(Boolean)
  const rows = results.map(
    ({ name, valid, noticed, score, disabled }) =>
      `| ${name} | ${valid} | ${noticed} | ${disabled} | ${score.toFixed(1)} % |`,
  )
  const lists = results.flatMap(({ name, survivors }) => [
    `\n## ${name}\n`,
    ...survivors.map(listed),
  ])
  const lines = [
    '# Mutants\n',
    'Written by `npm run test:mutation`. A mutant is one small change of the code; the lists have those that no test of the area notices.\n',
    '| Area | Valid | Noticed | Disabled | Score |',
    '| ---- | ----- | ------- | -------- | ----- |',
    ...rows,
    ...lists,
  ]
  const file = inRoot('mutation', 'results.md')
  await writeFile(file, `${lines.join('\n')}\n`)
  execFileSync(inRoot('node_modules', '.bin', 'biome'), ['format', '--write', file])
}

function listed({ file, location, original, replacement, status }) {
  const uncovered = status === 'NoCoverage' ? ' (never run)' : ''
  return `- ${file}:${location.start.line} ${quoted(original)} → ${quoted(replacement ?? '')}${uncovered}`
}

function quoted(code) {
  const line = code.replaceAll(/\s+/g, ' ').replaceAll('`', 'ˋ')
  return `\`${line.length > 60 ? `${line.slice(0, 59)}…` : line}\``
}

function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  lines[last] = lines[last].slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  return lines.join('\n')
}
