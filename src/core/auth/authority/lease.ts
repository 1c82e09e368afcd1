import 'server-only'

/** Shorter than the tenth of a second that is promised, for what happens after the look. */
const length = 80
const every = 25
const patience = 1_000

export type Line = {
  /** Sends a message to everybody who listens, ourselves included. */
  send(message: string): Promise<unknown>
  /** Listens anew, with everything forgotten. */
  listenAgain(): void
}

/**
 * For how long what we hold can be believed. A beat is sent through the database the way every
 * change is announced; the database keeps their order, so when it is heard, whatever was committed
 * before it was sent has been heard too. Nothing is believed for longer than that: whether the line
 * was cut, is held up, or leads to a pooler that drops what it carries, it is the beat that is
 * missing. While nobody asks, none is sent.
 */
export class Lease {
  #since = Number.NEGATIVE_INFINITY
  #usedAt = Number.NEGATIVE_INFINITY
  #heardAt = performance.now()
  #beating = false
  #count = 0
  #sent = new Map<string, { at: number; heard: () => void }>()

  constructor(
    readonly name: string,
    readonly line: Line,
  ) {}

  /** Whether it holds at this moment; asking for it is what keeps it alive. */
  holds(now: number): boolean {
    this.#usedAt = now
    if (!this.#beating) this.#beat()
    return now - this.#since < length
  }

  /** Whether it was a beat of ours. */
  hear(message: string): boolean {
    const beat = this.#sent.get(message)
    if (!beat) return false
    this.#sent.delete(message)
    this.#since = Math.max(this.#since, beat.at)
    this.#heardAt = performance.now()
    beat.heard()
    return true
  }

  /** Resolves true once everything that is committed by now has been heard, false if it is not to be known. */
  async catchUp(limit = patience): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, limit, false)
    })
    const heard = await Promise.race([this.#send(), late])
    clearTimeout(timer)
    return heard
  }

  end(): void {
    this.#usedAt = Number.NEGATIVE_INFINITY
    this.#since = Number.NEGATIVE_INFINITY
  }

  #send(): Promise<boolean> {
    this.#count += 1
    const message = `b${this.name}.${this.#count}`
    return new Promise((resolve) => {
      this.#sent.set(message, { at: performance.now(), heard: () => resolve(true) })
      this.line.send(message).catch(() => {
        this.#sent.delete(message)
        resolve(false)
      })
    })
  }

  async #beat(): Promise<void> {
    this.#beating = true
    this.#heardAt = performance.now()
    while (performance.now() - this.#usedAt < patience) {
      const started = performance.now()
      await this.catchUp(length)
      const now = performance.now()
      for (const [message, { at }] of this.#sent)
        if (now - at > patience) this.#sent.delete(message)
      if (now - this.#heardAt > patience) {
        this.#heardAt = now
        this.line.listenAgain()
      }
      await pause(Math.max(1, every - (now - started)))
    }
    this.#beating = false
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref())
}
