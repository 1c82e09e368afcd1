/** Each role includes the permissions of those before it. */
export const roles = ['viewer', 'editor', 'admin'] as const

export type Role = (typeof roles)[number]
