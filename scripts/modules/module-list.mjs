import { findModules } from './find-modules.mjs'
import { modulesSource } from './modules-source.mjs'

export const moduleList = {
  path: 'src/modules.ts',
  listedFrom: 'the module folders',
  generate: async () => modulesSource(await findModules()),
}
