/** A snapshot of PostgreSQL: which transactions had ended when it was taken. */
export type Snapshot = {
  text: string
  /** All transactions below it had ended. */
  xmin: bigint
  /** No transaction from it on had begun. */
  xmax: bigint
  /** Transactions between the two that had not ended. */
  running: ReadonlySet<bigint>
}

/** From the text form, `xmin:xmax:running,running`. */
export function parseSnapshot(text: string): Snapshot {
  const [xmin = '', xmax = '', running = ''] = text.split(':')
  return {
    text,
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    running: new Set(running === '' ? [] : running.split(',').map(BigInt)),
  }
}

/** Whether the snapshot sees what the transaction has written, if it has committed. */
export function sees({ xmax, running }: Snapshot, xid: bigint): boolean {
  return xid < xmax && !running.has(xid)
}
