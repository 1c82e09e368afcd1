import { rm } from 'node:fs/promises'
import { inRoot, nextBin } from '../paths.mjs'

/**
 * What `npm run check` checks. A step is one command, or one after another. `since` is the oldest
 * Node that its tool runs on, where that is newer than the oldest that is supported.
 */
export function checkSteps() {
  return [
    { name: 'modules', commands: [[inRoot('scripts', 'modules.mjs'), '--check']] },
    {
      name: 'types',
      prepare: forgetDevelopmentTypes,
      commands: [
        [nextBin, 'typegen'],
        [bin('typescript/bin/tsc'), '--noEmit'],
      ],
    },
    { name: 'biome', commands: [[bin('@biomejs/biome/bin/biome'), 'check']] },
    { name: 'imports', commands: [[inRoot('scripts', 'check', 'imports.mjs')]] },
    { name: 'unused', commands: [[bin('knip/bin/knip.js')]], since: '20.19.0' },
  ]
}

/** `next dev` leaves types of pages that are gone, and tsc would miss the pages. */
async function forgetDevelopmentTypes() {
  await rm(inRoot('.next', 'dev', 'types'), { recursive: true, force: true })
}

function bin(path) {
  return inRoot('node_modules', path)
}
