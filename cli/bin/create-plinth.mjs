#!/usr/bin/env node
import { launch } from '../source/launch.mjs'

launch('create', process.argv.slice(2))
