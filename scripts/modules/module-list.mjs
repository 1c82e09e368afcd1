import { findModules } from './find-modules.mjs'
import { modulesSource } from './modules-source.mjs'

export const moduleList = {
  path: 'src/modules.ts',
  of: 'the module folders',
  write: async () => modulesSource(await findModules()),
}
