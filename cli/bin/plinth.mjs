#!/usr/bin/env node
import { runCommand } from '../source/run-command.mjs'

const [command, ...rest] = process.argv.slice(2)
runCommand(command, rest)
