import { launch } from './launch.mjs'

launch(() => import('./commands/start.mjs'))
