import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism } from 'node:os'
import { say } from '../scripts/terminal.mjs'
import { connections, findLoadGenerator } from './load.mjs'
import { installPeers } from './peers.mjs'
import { drawRates } from './plot.mjs'
import { measureInRounds, medianOf, medianRatio } from './rounds.mjs'
import { judge } from './session-aims.mjs'
import { startSubjects } from './session-subjects.mjs'
import { printAims, printTable } from './table.mjs'

/** `GET /api/auth/session` against a server that does nothing, and against peers. */
export async function benchSession(pace) {
  const wrk = await findLoadGenerator()
  await installPeers()
  const { subjects, end } = await startSubjects()
  const rounds = await measureInRounds(wrk, subjects, pace)
  const figures = Object.entries(subjects).map(([name, { label, server, limit }]) => ({
    name,
    label,
    rate: Math.round(medianOf(rounds, name, 'rate')),
    ofBare: medianRatio(rounds, name, limit),
    p50: medianOf(rounds, name, 'p50'),
    p99: medianOf(rounds, name, 'p99'),
    memory: server.memory(),
  }))
  await end()
  const aims = judge(rounds, subjects)
  report(pace, figures, aims)
  if (pace.name === 'thorough') keep(pace, { figures, aims, rounds })
}

function report({ rounds, seconds }, figures, aims) {
  say(`\nWho is signed in: medians of ${rounds} interleaved rounds of ${seconds} s, one process`)
  say(`each, ${connections} connections\n`)
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
  say()
  printAims(aims)
}

function keep(pace, results) {
  const machine = { cores: availableParallelism(), architecture: arch(), node: process.version }
  mkdirSync('bench/results', { recursive: true })
  const everything = { measured: new Date().toISOString(), machine, connections, pace, ...results }
  writeFileSync('bench/results/session.json', `${JSON.stringify(everything, null, 2)}\n`)
  writeFileSync('docs/images/session-speed.svg', drawRates(results.figures))
  say('\nKept in bench/results/session.json and drawn in docs/images/session-speed.svg.')
}
