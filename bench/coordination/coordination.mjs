import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { build, stop as stopEsbuild } from 'esbuild'
import { bundleOptions } from '../../scripts/build/build.mjs'
import { findPostgres, startPostgres } from '../../scripts/services/programs.mjs'
import { CommandError, inRoot, print } from '../../scripts/terminal.mjs'
import { median } from '../load.mjs'
import { printTable, printTargets } from '../table.mjs'

const counts = [1, 10, 50, 100]
const kinds = ['plain', 'change log']
const rounds = 3
const maxRatio = 2
const clockTicksPerSecond = 100

/**
 * PostgreSQL's CPU time for the coordination of many processes, which are simulated in this one. They
 * follow the change log with the app's own code, or poll a plain table as often.
 */
export async function benchCoordination({ seconds }) {
  const bin = findPostgres()
  if (!bin) throw new CommandError('PostgreSQL not found. This benchmark requires it.')
  const folder = await mkdtemp(inRoot('dist', 'coordination-'))
  const app = await importProcesses(folder)
  const server = await startPostgres(bin, { settings: { max_connections: 200 } })
  const samples = {}
  try {
    await app.prepare(server.url)
    for (let round = 0; round < rounds; round += 1) {
      for (const count of counts) {
        for (const kind of round % 2 ? kinds.toReversed() : kinds) {
          const sample = await measure({ app, server, kind, count, seconds: seconds * 2 })
          samples[`${kind} ${count}`] ??= []
          samples[`${kind} ${count}`].push(sample)
        }
      }
    }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
  report(samples)
}

/** With the packages of the project. */
async function importProcesses(folder) {
  const outfile = join(folder, 'processes.mjs')
  await build({ ...bundleOptions, entryPoints: ['bench/coordination/processes.ts'], outfile })
  await stopEsbuild()
  return import(pathToFileURL(outfile).href)
}

async function measure({ app, server, kind, count, seconds }) {
  const processes = await app.startProcesses(server.url, kind, count)
  await pause(2_000)
  const before = { cpu: cpuSeconds(server.pid), polls: processes.polls() }
  const startedAt = performance.now()
  await pause(seconds * 1_000)
  const elapsed = (performance.now() - startedAt) / 1_000
  const cores = (cpuSeconds(server.pid) - before.cpu) / elapsed
  const polls = (processes.polls() - before.polls) / elapsed
  await processes.stop()
  return { cores, polls }
}

/** Of the postmaster and its children, which are alive throughout. */
function cpuSeconds(postmaster) {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const isOurs = Number(name) === postmaster || Number(fields[1]) === postmaster
      if (isOurs) ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // It has exited.
    }
  }
  return ticks / clockTicksPerSecond
}

function report(samples) {
  const middle = (kind, count, figure) => median(samples[`${kind} ${count}`].map(figure))
  const perPoll = ({ cores, polls }) => cores / polls
  const ratio = (count) =>
    median(
      samples[`change log ${count}`].map(
        (sample, index) => perPoll(sample) / perPoll(samples[`plain ${count}`][index]),
      ),
    )
  print('\nCPU of PostgreSQL by the number of busy processes, with 20 changes a second\n')
  printTable(
    ['processes', ...kinds.flatMap((kind) => [`${kind}: cores`, 'polls/s']), 'ratio per poll'],
    counts.map((count) => [
      count,
      ...kinds.flatMap((kind) => [
        middle(kind, count, ({ cores }) => cores).toFixed(3),
        middle(kind, count, ({ polls }) => polls).toFixed(0),
      ]),
      ratio(count).toFixed(2),
    ]),
  )
  print()
  printTargets(
    counts.map((count) => ({
      target: `${count} processes ≤ ${maxRatio} × as many plain pollers, per poll`,
      measured: `${ratio(count).toFixed(2)} ×`,
      met: ratio(count) <= maxRatio,
    })),
  )
}
