import { launch } from './launch.mjs'

launch(() => import('./commands/test.mjs'))
