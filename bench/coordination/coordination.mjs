import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { build, stop as stopEsbuild } from 'esbuild'
import { bundleOptions } from '../../scripts/build/bundle-server.mjs'
import { CommandError } from '../../scripts/errors.mjs'
import { inRoot } from '../../scripts/paths.mjs'
import { findPostgres, startPostgres } from '../../scripts/services/postgres.mjs'
import { print } from '../../scripts/terminal.mjs'
import { median } from '../load.mjs'
import { printTable, printTargets } from '../table.mjs'

const counts = [1, 10, 50, 100]
const kinds = ['plain', 'change log']
const rounds = 3
const maxRatio = 2
const clockTicksPerSecond = 100

/**
 * PostgreSQL's CPU time for the coordination of many processes. Each thread stands for one process:
 * it keeps its copy of the change log current, or polls a plain table as often.
 */
export async function benchCoordination({ seconds }) {
  const bin = findPostgres()
  if (!bin) throw new CommandError('PostgreSQL not found. This benchmark requires it.')
  const folder = await mkdtemp(inRoot('dist', 'coordination-'))
  const program = await bundleProcess(folder)
  const server = await startPostgres(bin, { settings: { max_connections: 200 } })
  const samples = {}
  try {
    await prepare(program, server.url)
    for (let round = 0; round < rounds; round += 1) {
      for (const count of counts) {
        for (const kind of round % 2 ? kinds.toReversed() : kinds) {
          const cores = await measure({ program, server, kind, count, seconds: seconds * 2 })
          samples[`${kind} ${count}`] ??= []
          samples[`${kind} ${count}`].push(cores)
        }
      }
    }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
  report(samples)
}

/** The app's own code, with the packages of the project. */
async function bundleProcess(folder) {
  const outfile = join(folder, 'process.mjs')
  await build({ ...bundleOptions, entryPoints: ['bench/coordination/process.ts'], outfile })
  await stopEsbuild()
  return outfile
}

async function prepare(program, url) {
  const thread = new Worker(program, { workerData: { kind: 'prepare', url } })
  await new Promise((resolve, reject) => thread.once('error', reject).once('exit', resolve))
}

async function measure({ program, server, kind, count, seconds }) {
  const threads = Array.from(
    { length: count },
    () => new Worker(program, { workerData: { kind, url: server.url } }),
  )
  const writer = new Worker(program, { workerData: { kind: 'writer', url: server.url } })
  const started = [...threads, writer]
  await Promise.all(
    started.map((thread) => new Promise((resolve) => thread.once('message', resolve))),
  )
  await pause(1_000)
  const before = cpuSeconds(server.pid)
  const startedAt = performance.now()
  await pause(seconds * 1_000)
  const cores = ((cpuSeconds(server.pid) - before) * 1_000) / (performance.now() - startedAt)
  for (const thread of started) thread.postMessage('stop')
  const results = await Promise.all(
    started.map((thread) => new Promise((resolve) => thread.once('message', resolve))),
  )
  await Promise.all(started.map((thread) => thread.terminate()))
  requireCurrent(kind, results.slice(0, count))
  return cores
}

/** A process that does not keep up would cost less than it should. */
function requireCurrent(kind, results) {
  const worst = Math.min(...results.map(({ current }) => current))
  if (kind === 'change log' && worst < 0.5) {
    print(`  A process had a current log in ${(worst * 100).toFixed(0)} % of the checks only.`)
  }
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
  const cores = (kind, count) => median(samples[`${kind} ${count}`])
  const ratio = (count) =>
    median(
      samples[`change log ${count}`].map(
        (value, index) => value / samples[`plain ${count}`][index],
      ),
    )
  print('\nCPU cores of PostgreSQL by the number of processes that are busy, 20 changes a second\n')
  printTable(
    ['processes', ...kinds, 'ratio'],
    counts.map((count) => [
      count,
      ...kinds.map((kind) => cores(kind, count).toFixed(3)),
      ratio(count).toFixed(2),
    ]),
  )
  print()
  printTargets(
    counts.map((count) => ({
      target: `${count} processes ≤ ${maxRatio} × as many plain pollers`,
      measured: `${ratio(count).toFixed(2)} ×`,
      met: ratio(count) <= maxRatio,
    })),
  )
}
