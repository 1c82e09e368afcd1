import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cliRoot } from '../source/template/location.mjs'

// Copied in by prepack.mjs.
for (const name of ['template', 'engine', 'CHANGELOG.md', 'LICENSE']) {
  await rm(join(cliRoot, name), { recursive: true, force: true })
}
