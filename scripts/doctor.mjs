import { launch } from './launch.mjs'

launch(() => import('./commands/doctor.mjs'))
