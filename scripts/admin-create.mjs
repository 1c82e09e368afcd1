import { launch } from './launch.mjs'

launch(() => import('./commands/admin-create.mjs'))
