import { fileURLToPath } from 'node:url'

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const engine = root('packages/plinth/src/')

/** The paths of tsconfig.json, for Vitest. */
export const aliases = [
  { find: /^@\//, replacement: root('src/') },
  { find: /^@tests\//, replacement: root('tests/') },
  { find: /^#/, replacement: engine },
  { find: /^plinth\//, replacement: engine },
  { find: 'server-only', replacement: root('tests/support/server-only.ts') },
]
