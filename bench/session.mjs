import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism } from 'node:os'
import { print } from '../packages/plinth/scripts/terminal.mjs'
import { connections, findLoadGenerator } from './load.mjs'
import { installPeers } from './peers.mjs'
import { drawRates } from './plot.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { startSubjects } from './session-subjects.mjs'
import { checkTargets } from './session-targets.mjs'
import { printTable, printTargets } from './table.mjs'

/** `GET /api/auth/session` compared with a bare server and with other stacks. */
export async function benchSession(profile) {
  const wrk = await findLoadGenerator()
  await installPeers()
  const { subjects, stop } = await startSubjects()
  const rounds = await measureInRounds(wrk, subjects, profile)
  const figures = Object.entries(subjects).map(([name, { label, server, limit }]) => ({
    name,
    label,
    rate: Math.round(medianOf(rounds, name, 'rate')),
    ofBare: medianRatio(rounds, name, limit),
    p50: medianOf(rounds, name, 'p50'),
    p99: medianOf(rounds, name, 'p99'),
    memory: server.memory(),
  }))
  await stop()
  const targets = checkTargets(rounds, subjects)
  report(profile, figures, targets)
  if (profile.name === 'thorough') save(profile, { figures, targets, rounds })
}

function report({ rounds, seconds }, figures, targets) {
  print(
    `\nSession check: medians of ${rounds} interleaved rounds of ${seconds} s, one process each,`,
  )
  print(`${connections} connections\n`)
  printTable(
    ['', 'requests/s', '× bare', 'p50 ms', 'p99 ms', 'memory MB'],
    figures.map(({ label, rate, ofBare, p50, p99, memory }) => [
      label,
      rate,
      ofBare.toFixed(3),
      p50.toFixed(2),
      p99.toFixed(2),
      memory,
    ]),
  )
  print()
  printTargets(targets)
}

function save(profile, results) {
  const machine = { cores: availableParallelism(), architecture: arch(), node: process.version }
  mkdirSync('bench/results', { recursive: true })
  const saved = { measuredAt: new Date().toISOString(), machine, connections, profile, ...results }
  writeFileSync('bench/results/session.json', `${JSON.stringify(saved, null, 2)}\n`)
  writeFileSync('docs/images/session-speed.svg', drawRates(results.figures))
  print('\nSaved bench/results/session.json and docs/images/session-speed.svg.')
}
