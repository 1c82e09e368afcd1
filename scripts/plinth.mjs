#!/usr/bin/env node
import { launch } from './launch.mjs'

launch(() => import('./commands/plinth.mjs'))
