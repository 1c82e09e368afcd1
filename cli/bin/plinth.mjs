#!/usr/bin/env node
import { launch } from '../source/launch.mjs'

const [command, ...rest] = process.argv.slice(2)
launch(command, rest)
