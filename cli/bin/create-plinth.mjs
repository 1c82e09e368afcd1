#!/usr/bin/env node
import { runCommand } from '../source/run-command.mjs'

runCommand('create', process.argv.slice(2))
