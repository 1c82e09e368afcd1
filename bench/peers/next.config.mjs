import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One folder of packages serves all of them. */
const peers = dirname(fileURLToPath(import.meta.url))

export default { turbopack: { root: peers }, outputFileTracingRoot: peers }
