import { relative } from 'node:path'
import { root } from '../paths.mjs'
import { print } from '../terminal.mjs'
import { commandFor, resultLine, writeReport } from './reports.mjs'

/** Prints a line for each file, and the errors of failed tests at the end. */
export default class FileReporter {
  #tests = []
  #ended = new Set()
  #errors = []
  #output = new Map()

  onBegin(_config, suite) {
    this.#tests = suite.allTests()
  }

  onTestBegin() {
    sayAlive()
  }

  onTestEnd(ended) {
    sayAlive()
    this.#ended.add(ended)
    const { file } = ended.location
    const tests = this.#tests.filter((test) => test.location.file === file)
    if (tests.every((test) => this.#ended.has(test))) this.#printFile(file, tests)
  }

  onStdOut(chunk, test) {
    this.#keepOutput(chunk, test)
  }

  onStdErr(chunk, test) {
    this.#keepOutput(chunk, test)
  }

  /** Printed if the test fails. */
  #keepOutput(chunk, test) {
    if (test) this.#output.set(test, `${this.#output.get(test) ?? ''}${chunk}`)
  }

  onError(error) {
    this.#errors.push(error)
  }

  onEnd() {
    const failed = this.#tests.filter((test) => outcomeOf(test) === 'failed')
    for (const test of failed) printFailure(test, this.#output.get(test) ?? '')
    for (const { message, stack } of this.#errors) print(`\n${stack ?? message}`)
    const files = [...new Set(this.#tests.map(({ location }) => location.file))]
    writeReport({
      passed: this.#tests.filter((test) => outcomeOf(test) === 'passed').length,
      failures: [
        ...failed.map(describeTest),
        ...this.#errors.map(({ message }) => ({ name: `Error outside of a test: ${message}` })),
      ],
      skips: this.#tests.filter((test) => outcomeOf(test) === 'skipped').map(describeTest),
      files: files.map((file) => {
        const tests = this.#tests.filter(({ location }) => location.file === file)
        return { name: relative(root, file), seconds: secondsOf(tests) }
      }),
    })
  }

  #printFile(file, tests) {
    const count = (outcome) => tests.filter((test) => outcomeOf(test) === outcome).length
    const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
    print(resultLine(relative(root, file), { ...counts, seconds: secondsOf(tests) }))
  }

  printsToStdio() {
    return true
  }
}

/** For packages/plinth/scripts/testing/runners.mjs, which stops a run that is stuck. */
function sayAlive() {
  process.send?.('alive')
}

function outcomeOf(test) {
  if (test.results.length === 0 || test.outcome() === 'skipped') return 'skipped'
  return test.ok() ? 'passed' : 'failed'
}

function secondsOf(tests) {
  const results = tests.flatMap((test) => test.results)
  return results.reduce((sum, { duration }) => sum + duration, 0) / 1000
}

function describeTest(test) {
  const { file, line } = test.location
  const path = relative(root, file)
  return { name: `${path} › ${titlesOf(test)}`, command: commandFor(`${path}:${line}`) }
}

/** Without the project and the file. */
function titlesOf(test) {
  return test.titlePath().slice(3).join(' › ')
}

function printFailure(test, output) {
  print(`\n── ${relative(root, test.location.file)}:${test.location.line} › ${titlesOf(test)}`)
  if (output) print(output.trimEnd())
  for (const { stack, message, snippet } of test.results.at(-1)?.errors ?? []) {
    print(stack ?? message)
    if (snippet) print(snippet)
  }
}
