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

/** Sends requests of each kind at a steady rate, whether or not earlier ones have been answered. */
export function startLoad(kinds: readonly RequestKind[]) {
  const samples: Sample[] = []
  const running = new Set<Promise<void>>()
  const timers = kinds.map((kind) =>
    setInterval(() => {
      const sending = send(kind).then((sample) => {
        samples.push(sample)
        running.delete(sending)
      })
      running.add(sending)
    }, kind.intervalMs),
  )

  const startedSince = (time: number) => samples.filter(({ startedAt }) => startedAt >= time)
  const ofEachKind = (check: (own: Sample[]) => boolean, time: number) =>
    kinds.every(({ name }) => check(startedSince(time).filter(({ kind }) => kind === name)))

  return {
    /** Those that were open at some time since then. */
    openSince: (time: number) =>
      samples.filter(({ startedAt, waitMs }) => startedAt + waitMs >= time),
    startedSince,
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
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}

export type Load = ReturnType<typeof startLoad>

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
