import { expect } from 'vitest'
import type { Load, Sample } from './load'

export type Fault = {
  name: string
  /** Breaks the database and resolves with the function that mends it. */
  begin(): Promise<() => Promise<unknown>>
  /** Kinds of requests that must have failed during the fault: it was real. */
  fails: readonly string[]
  /** Kinds of requests that must not notice it. */
  succeeds?: readonly string[]
}

export const maxWaitMs = 2_500
const maxRecoveryMs = 5_000

const rows: string[][] = [
  [
    'fault',
    'requests',
    '503',
    'incomplete',
    'usual wait',
    'longest wait',
    '500s',
    'wrong nulls',
    'recovered after',
  ],
]

/** A slow or busy machine adds this many waits of the same requests before the fault to each limit. */
export const addedWaits = 10

/** Breaks the database under load, mends it, and asserts what callers have seen. Ends when all is well. */
export async function expectOutage(load: Load, fault: Fault): Promise<void> {
  const allowanceMs = addedWaits * load.usualWaitMs()
  const from = performance.now()
  const mend = await fault.begin()
  const began = performance.now()
  await load.answered(4).finally(mend)
  const ended = performance.now()
  const during = load.startedSince(began).filter(({ startedAt }) => startedAt < ended)
  await load.allOk()

  const samples = load.openSince(from)
  const recoveryMs = Math.max(
    0,
    ...samples.filter(isNotOk).map(({ startedAt }) => startedAt - ended),
  )
  addRow(fault.name, samples, { usualWaitMs: allowanceMs / addedWaits, recoveryMs })
  const wrong = samples.filter(({ outcome }) => outcome === 'error' || outcome === 'signed out')
  expect.soft(wrong.slice(0, 5), `${wrong.length} wrong answers`).toEqual([])
  const slow = samples.filter(({ waitMs }) => waitMs > maxWaitMs + allowanceMs)
  expect.soft(slow.slice(0, 5), `${slow.length} slow answers`).toEqual([])
  expect.soft(recoveryMs).toBeLessThan(maxRecoveryMs + allowanceMs)
  expect.soft(fault.fails.filter((kind) => !during.some(failed(kind)))).toEqual([])
  const hit = (fault.succeeds ?? []).flatMap((kind) => during.find(failed(kind)) ?? [])
  expect.soft(hit).toEqual([])
}

/** Standard output, because a reporter would put a heading over each line. */
export function printOutages(): void {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const lines = rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '),
  )
  process.stdout.write(`${lines.join('\n')}\n`)
}

type Waits = { usualWaitMs: number; recoveryMs: number }

function addRow(
  name: string,
  samples: readonly Sample[],
  { usualWaitMs, recoveryMs }: Waits,
): void {
  const count = (matches: (sample: Sample) => boolean) => String(samples.filter(matches).length)
  const longest = Math.max(...samples.map(({ waitMs }) => waitMs))
  rows.push([
    name,
    String(samples.length),
    count(({ status }) => status === 503),
    count(({ outcome }) => outcome === 'incomplete'),
    `${(usualWaitMs / 1000).toFixed(2)} s`,
    `${(longest / 1000).toFixed(2)} s`,
    count(({ status }) => status === 500),
    count(({ outcome }) => outcome === 'signed out'),
    `${(recoveryMs / 1000).toFixed(1)} s`,
  ])
}

const isNotOk = ({ outcome }: Sample) => outcome !== 'ok'

const failed = (name: string) => (sample: Sample) => sample.kind === name && isNotOk(sample)
