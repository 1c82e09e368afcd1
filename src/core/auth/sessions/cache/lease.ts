import 'server-only'
import { runOutsideRequest } from '@/core/log/current-request'

/** Shorter than the promised 100 ms, to leave time for the work after the check. */
const leaseMs = 80
const heartbeatIntervalMs = 25
const timeoutMs = 1_000

/** A caller waits for it after its commit. Afterwards the cache is emptied instead. */
const catchUpTimeoutMs = 400

export type Channel = {
  /** Sends a message to all subscribers, including this process. */
  send(message: string): Promise<unknown>
  /** Subscribes again with an empty cache. */
  resubscribe(): void
}

/**
 * How long cached sessions can be trusted. A heartbeat goes through the database on the channel that
 * announces changes. The database keeps the order, so once the heartbeat is back, every change that
 * was committed before it was sent has been received. A broken, slow or pooled connection loses the
 * heartbeat too, and the lease expires. Without requests no heartbeat is sent.
 */
export class Lease {
  #validFrom = Number.NEGATIVE_INFINITY
  #usedAt = Number.NEGATIVE_INFINITY
  #receivedAt = performance.now()
  #running = false
  #count = 0
  #pending = new Map<string, { sentAt: number; received: () => void }>()

  constructor(
    readonly name: string,
    readonly channel: Channel,
  ) {}

  /** Checking the lease keeps the heartbeat running. */
  isValid(now: number): boolean {
    this.#usedAt = now
    if (!this.#running) runOutsideRequest(() => this.#run())
    return now - this.#validFrom < leaseMs
  }

  /** Returns whether the message was a heartbeat of this process. */
  receive(message: string): boolean {
    const heartbeat = this.#pending.get(message)
    if (!heartbeat) return false
    this.#pending.delete(message)
    this.#validFrom = Math.max(this.#validFrom, heartbeat.sentAt)
    this.#receivedAt = performance.now()
    heartbeat.received()
    return true
  }

  /** Resolves true once every change committed by now has been received, false after the timeout. */
  async catchUp(limitMs = catchUpTimeoutMs): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, limitMs, false)
    })
    const received = await Promise.race([this.#sendHeartbeat(), timeout])
    clearTimeout(timer)
    return received
  }

  end(): void {
    this.#usedAt = Number.NEGATIVE_INFINITY
    this.#validFrom = Number.NEGATIVE_INFINITY
  }

  #sendHeartbeat(): Promise<boolean> {
    this.#count += 1
    const message = `b${this.name}.${this.#count}`
    return new Promise((resolve) => {
      this.#pending.set(message, { sentAt: performance.now(), received: () => resolve(true) })
      this.channel.send(message).catch(() => {
        this.#pending.delete(message)
        resolve(false)
      })
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    this.#receivedAt = performance.now()
    while (performance.now() - this.#usedAt < timeoutMs) {
      const startedAt = performance.now()
      await this.catchUp(leaseMs)
      const now = performance.now()
      for (const [message, { sentAt }] of this.#pending)
        if (now - sentAt > timeoutMs) this.#pending.delete(message)
      if (now - this.#receivedAt > timeoutMs) {
        this.#receivedAt = now
        this.channel.resubscribe()
      }
      await pause(Math.max(1, heartbeatIntervalMs - (now - startedAt)))
    }
    this.#running = false
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref())
}
