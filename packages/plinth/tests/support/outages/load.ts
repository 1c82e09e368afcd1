import { setTimeout as pause } from 'node:timers/promises'

/**
 * `incomplete` is a page of which a streamed part failed after the status was sent. `signed out` is
 * the wrong answer to a live session, and `error` any other that is not allowed.
 */
export type Outcome = 'ok' | 'unavailable' | 'incomplete' | 'signed out' | 'error'

export type Answer = { url: string; status: number; headers: Headers; text: string }

export type RequestKind = {
  name: string
  intervalMs: number
  send(): Promise<Response>
  judge(answer: Answer): Outcome
}

export type Sample = {
  kind: string
  startedAt: number
  waitMs: number
  status: number
  outcome: Outcome
  /** The start of the body, for the message of a failed test. */
  text: string
}

/** For an instance with little capacity, which must not be slow because of the load itself. */
export const slowly = (kind: RequestKind): RequestKind => ({
  ...kind,
  intervalMs: 2 * kind.intervalMs,
})

/** A request that is still without an answer then counts as one that hangs. */
const hangsAfterMs = 6_000

/** The mean wait of this load on an idle machine. */
const idleWaitMs = 40

/**
 * Sends requests of each kind at a steady rate, whether or not earlier ones have been answered. On a
 * machine that is slow or busy the rate is lower: the load itself must not be what delays responses.
 */
export function startLoad(kinds: readonly RequestKind[]) {
  const samples: Sample[] = []
  const running = new Set<Promise<void>>()
  let stopped = false
  const timers = new Map<RequestKind, NodeJS.Timeout>()
  const sendRegularly = (kind: RequestKind) => {
    if (stopped) return
    const sending = send(kind).then((sample) => {
      samples.push(sample)
      running.delete(sending)
    })
    running.add(sending)
    sendLater(kind)
  }
  const sendLater = (kind: RequestKind) => {
    const slowdown = Math.max(1, meanWaitMs(samples) / idleWaitMs)
    timers.set(
      kind,
      setTimeout(() => sendRegularly(kind), kind.intervalMs * slowdown),
    )
  }
  for (const kind of kinds) sendLater(kind)

  const startedSince = (time: number) => samples.filter(({ startedAt }) => startedAt >= time)
  const ofEachKind = (check: (own: Sample[]) => boolean, time: number) =>
    kinds.every(({ name }) => check(startedSince(time).filter(({ kind }) => kind === name)))

  return {
    /** The samples of requests that were open at some time since then. */
    openSince: (time: number) =>
      samples.filter(({ startedAt, waitMs }) => startedAt + waitMs >= time),
    startedSince,
    /** The mean wait of successful requests so far. */
    usualWaitMs: () => meanWaitMs(samples),
    /** Waits until so many requests of each kind that started after now are answered. */
    async answered(count: number): Promise<void> {
      const now = performance.now()
      await until(() => ofEachKind((own) => own.length >= count, now), 15_000)
    },
    /** Waits until the last two requests of each kind that started after now succeeded. */
    async allOk(): Promise<void> {
      const now = performance.now()
      const succeed = (own: Sample[]) =>
        own.length >= 2 && own.slice(-2).every(({ outcome }) => outcome === 'ok')
      await until(() => ofEachKind(succeed, now), 15_000)
    },
    async stop(): Promise<void> {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

export type Load = ReturnType<typeof startLoad>

/** The mean counts the last 60 successful requests. */
function meanWaitMs(samples: readonly Sample[]): number {
  const waits = samples
    .filter(({ outcome }) => outcome === 'ok')
    .slice(-60)
    .map(({ waitMs }) => waitMs)
  return waits.reduce((sum, waitMs) => sum + waitMs, 0) / Math.max(1, waits.length)
}

async function send({ name, send, judge }: RequestKind): Promise<Sample> {
  const startedAt = performance.now()
  const hangs = pause(hangsAfterMs, undefined, { ref: false }).then(() => undefined)
  const answer = await Promise.race([send().then(readAnswer).catch(noAnswer), hangs])
  const waitMs = performance.now() - startedAt
  const { status, text } = answer ?? { status: 0, text: 'no answer' }
  const outcome = answer && status > 0 ? judge(answer) : 'error'
  return { kind: name, startedAt, waitMs, status, outcome, text: text.slice(0, 300) }
}

async function readAnswer(response: Response): Promise<Answer> {
  const { url, status, headers } = response
  return { url, status, headers, text: await response.text() }
}

function noAnswer(error: unknown): Answer {
  return { url: '', status: 0, headers: new Headers(), text: String(error) }
}

/** Gives up without an error after the time: the assertions about the samples say more. */
async function until(isTrue: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!isTrue() && performance.now() < deadline) await pause(20)
}
