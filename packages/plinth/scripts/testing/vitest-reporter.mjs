import { relative } from 'node:path'
import { DefaultReporter } from 'vitest/node'
import { commandFor, resultLine, writeReport } from './reports.mjs'

/** Prints a line for each file, and the errors of failed tests at the end. */
export default class FileReporter extends DefaultReporter {
  onInit(vitest) {
    this.ctx = vitest
    this.silent = 'passed-only'
  }

  printTestModule(module) {
    const states = [...module.children.allTests()].map((test) => test.result().state)
    const count = (state) => states.filter((each) => each === state).length
    const unloaded = module.state() === 'failed' && count('failed') === 0 ? 1 : 0
    const counts = { passed: count('passed'), skipped: count('skipped') }
    const seconds = secondsOf(module)
    this.log(resultLine(nameOf(module), { ...counts, failed: count('failed') + unloaded, seconds }))
  }

  onTestRunEnd(modules, errors, reason) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const withState = (state) => tests.filter((test) => test.result().state === state)
    writeReport({
      passed: withState('passed').length,
      failures: [
        ...withState('failed').map(describeTest),
        ...modules.filter(hasFailedAlone).map(describeFile),
        ...errors.map(({ message }) => ({ name: `Error outside of a test: ${message}` })),
      ],
      skips: withState('skipped').map(describeTest),
      files: modules.map((module) => ({ name: nameOf(module), seconds: secondsOf(module) })),
    })
    super.onTestRunEnd(modules, errors, reason)
  }

  reportTestSummary() {
    // packages/plinth/scripts/testing/summary.mjs prints it, after those of the other runners.
  }
}

/** A file that cannot be loaded, or whose hooks fail, fails without a failed test. */
function hasFailedAlone(module) {
  if (module.state() !== 'failed') return false
  return [...module.children.allTests()].every((test) => test.result().state !== 'failed')
}

function describeTest(test) {
  const { module } = test
  const titles = [test.name]
  for (let { parent } = test; parent.type === 'suite'; parent = parent.parent) {
    titles.unshift(parent.name)
  }
  const title = titles.join(' ')
  return { name: `${nameOf(module)} › ${titles.join(' › ')}`, command: command(module, title) }
}

function describeFile(module) {
  return { name: nameOf(module), command: command(module) }
}

function command(module, title) {
  const file = fileOf(module)
  // Outside of CI it runs on PostgreSQL alone.
  const onEmbedded = module.project.name === 'embedded' && file.endsWith('.db.test.ts')
  const settings = onEmbedded ? 'CI=true ' : ''
  return commandFor(file, { title, settings, flags: onEmbedded ? ' --project embedded' : '' })
}

function nameOf(module) {
  const { name } = module.project
  const isDatabase = name === 'embedded' || name === 'postgres'
  return isDatabase ? `${fileOf(module)} (${name})` : fileOf(module)
}

function fileOf(module) {
  return relative(module.project.config.root, module.moduleId)
}

function secondsOf(module) {
  const { setupDuration, collectDuration, duration } = module.diagnostic()
  return (setupDuration + collectDuration + duration) / 1000
}
