/** Each role includes the permissions of those before it. */
export const roles = ['viewer', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]

/** `system` follows the device. */
export const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

/** Published, so that anyone can try the demo accounts. */
export const demoPassword = 'plinth-demo-1'
