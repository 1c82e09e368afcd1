import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** All peers share one node_modules folder. */
const peers = dirname(fileURLToPath(import.meta.url))

export default { turbopack: { root: peers }, outputFileTracingRoot: peers }
