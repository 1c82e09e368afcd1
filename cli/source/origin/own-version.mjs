import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cliRoot } from '../template/location.mjs'

export const ownVersion = JSON.parse(readFileSync(join(cliRoot, 'package.json'), 'utf8')).version
