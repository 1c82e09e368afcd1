import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { build, stop as stopEsbuild } from 'esbuild'
import { inRoot } from '../../packages/plinth/scripts/paths.mjs'
import { findPostgres, startPostgres } from '../../packages/plinth/scripts/services/programs.mjs'
import { CommandError, print } from '../../packages/plinth/scripts/terminal.mjs'
import { median } from '../load.mjs'
import { printTable, printTargets } from '../table.mjs'
import { quietSample } from './quiet.mjs'

const counts = [1, 10, 50, 100]
const kinds = ['select 1', 'change log']
const rounds = 3
const maxRatio = 1.5

/**
 * PostgreSQL's CPU time for the coordination of many processes, which are simulated in this one. They
 * follow the change log with the app's own code, or send `select 1` as often.
 */
export async function benchCoordination({ seconds }) {
  const bin = findPostgres()
  if (!bin) throw new CommandError('PostgreSQL not found. This benchmark requires it.')
  const folder = await mkdtemp(inRoot('node_modules', '.cache', 'coordination-'))
  const app = await importProcesses(folder)
  const server = await startPostgres(bin, { settings: { max_connections: 200 } })
  const samples = {}
  try {
    await app.prepare(server.url)
    for (let round = 0; round < rounds; round += 1) {
      for (const count of counts) {
        for (const kind of round % 2 ? kinds.toReversed() : kinds) {
          const sample = await quietSample(() =>
            measure({ app, server, kind, count, seconds: seconds * 2 }),
          )
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
  await build({
    entryPoints: [inRoot('bench', 'coordination', 'processes.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  await stopEsbuild()
  return import(pathToFileURL(outfile).href)
}

async function measure({ app, server, kind, count, seconds }) {
  const processes = await app.startProcesses(server.url, kind, count)
  await pause(2_000)
  const before = readUse(server.pid, processes)
  await pause(seconds * 1_000)
  const after = readUse(server.pid, processes)
  await processes.stop()
  const elapsed = after.at - before.at
  const perSecond = (name) => (after[name] - before[name]) / elapsed
  return {
    cores: perSecond('backends'),
    polls: perSecond('polls'),
    otherCores: perSecond('machine') - perSecond('postgres') - perSecond('self'),
  }
}

/** In seconds since some moment. */
function readUse(postmaster, processes) {
  const { user, system } = process.cpuUsage()
  return {
    at: performance.now() / 1_000,
    polls: processes.polls(),
    backends: cpuSeconds(processes.backends),
    postgres: cpuSeconds([postmaster, ...childrenOf(postmaster)]),
    self: (user + system) / 1e6,
    machine: machineCpuSeconds(),
  }
}

function cpuSeconds(pids) {
  let nanoseconds = 0
  for (const pid of pids) {
    nanoseconds += Number(readProcess(pid, 'schedstat')?.split(' ')[0] ?? 0)
  }
  return nanoseconds / 1e9
}

function childrenOf(parent) {
  return readdirSync('/proc').filter((name) => {
    const stat = /^\d+$/.test(name) ? readProcess(name, 'stat') : undefined
    return Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
  })
}

/** Undefined if it has exited. */
function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}

const clockTicksPerSecond = 100

/** Time in user code, in the kernel and in interrupts, of all processes. */
function machineCpuSeconds() {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user, nice, system, , , interrupts, softInterrupts] = total
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + interrupts + softInterrupts) / clockTicksPerSecond
}

function report(samples) {
  const middle = (kind, count, figure) => median(samples[`${kind} ${count}`].map(figure))
  const perPoll = ({ cores, polls }) => cores / polls
  const ratio = (count) =>
    median(
      samples[`change log ${count}`].map(
        (sample, index) => perPoll(sample) / perPoll(samples[`select 1 ${count}`][index]),
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
      target: `${count} processes ≤ ${maxRatio} × as many that send select 1, per poll`,
      measured: `${ratio(count).toFixed(2)} ×`,
      met: ratio(count) <= maxRatio,
    })),
  )
}
