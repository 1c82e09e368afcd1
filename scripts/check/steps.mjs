import { rm } from 'node:fs/promises'
import { inRoot, nextBin } from '../paths.mjs'

/**
 * The steps of `npm run check`. The commands of a step run in sequence. `since` is the minimum Node
 * version of a tool that does not run on every supported Node.
 */
export function checkSteps() {
  return [
    { name: 'modules', commands: [[inRoot('scripts', 'run.mjs'), 'modules', '--check']] },
    { name: 'declarations', commands: [[inRoot('scripts', 'check', 'declarations.mjs')]] },
    {
      name: 'types',
      prepare: removeDevelopmentTypes,
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

/** `next dev` leaves types of deleted pages, which fail in tsc. */
async function removeDevelopmentTypes() {
  await rm(inRoot('.next', 'dev', 'types'), { recursive: true, force: true })
}

function bin(path) {
  return inRoot('node_modules', path)
}
