import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { templateRoot } from './location.mjs'

const script = 'plinth/scripts/modules/generated.mjs'

/**
 * The source of src/modules.ts. The engine generates it, so that there is only one implementation: that of the
 * app in this folder, if it is installed.
 */
export async function modulesFile(ids, app = templateRoot) {
  const candidates = [`${app}/packages`, `${app}/node_modules`, `${templateRoot}/packages`]
  const folder = candidates.find((path) => existsSync(`${path}/${script}`))
  const { modulesSource } = await import(pathToFileURL(`${folder}/${script}`))
  return modulesSource(ids)
}
