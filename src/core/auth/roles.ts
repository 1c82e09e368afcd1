/** Each may do what those before it may. */
export const roles = ['viewer', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]
