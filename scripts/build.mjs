import { launch } from './launch.mjs'

launch(() => import('./commands/build.mjs'))
