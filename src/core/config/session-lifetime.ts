const dayMs = 24 * 60 * 60 * 1000

/** A session expires this long after its last extension, and this long after it was created. */
export const sessionLifetimeMs = { idle: 30 * dayMs, absolute: 90 * dayMs }
