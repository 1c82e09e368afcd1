/** Each role includes the permissions of those before it. */
export const roles = ['viewer', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]

/** `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

/** In characters. A file of its own, so that browser code does not import zod. */
export const passwordLength = { min: 10, max: 128 }

/** Published, so that anyone can try the demo accounts. */
export const demoPassword = 'plinth-demo-1'

const dayMs = 24 * 60 * 60 * 1000

/** A session expires this long after its last extension, and this long after it was created. */
export const sessionLifetimeMs = { idle: 30 * dayMs, absolute: 90 * dayMs }
