import { launch } from './launch.mjs'

launch(() => import('./commands/dev.mjs'))
