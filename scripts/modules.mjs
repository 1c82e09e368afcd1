import { launch } from './launch.mjs'

launch(() => import('./commands/modules.mjs'))
