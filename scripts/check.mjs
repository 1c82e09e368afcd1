import { launch } from './launch.mjs'

launch(() => import('./commands/check.mjs'))
