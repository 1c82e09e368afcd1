import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { inRoot, nextBin } from '../paths.mjs'

const configuration = '.dependency-cruiser.cjs'

/**
 * What `npm run check` checks. A step is one command, or one after another. `since` is the oldest
 * Node that its tool runs on, where that is newer than the oldest Plinth runs on.
 */
export function checkSteps() {
  const steps = [
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
  ]
  if (existsSync(inRoot(configuration))) {
    const depcruise = bin('dependency-cruiser/bin/dependency-cruise.mjs')
    const commands = [[depcruise, '--config', configuration, 'src']]
    steps.push({ name: 'imports', commands, since: '20.12.0' })
  }
  if (existsSync(inRoot('knip.json'))) {
    steps.push({ name: 'unused', commands: [[bin('knip/bin/knip.js')]], since: '20.19.0' })
  }
  return steps
}

/** `next dev` leaves types of pages that are gone, and tsc would miss the pages. */
async function forgetDevelopmentTypes() {
  await rm(inRoot('.next', 'dev', 'types'), { recursive: true, force: true })
}

function bin(path) {
  return inRoot('node_modules', path)
}
