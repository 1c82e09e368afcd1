#!/usr/bin/env node
process.argv.splice(2, 0, 'plinth')
import('./run.mjs')
