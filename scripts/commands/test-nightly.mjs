import { run as runTests } from './test.mjs'

/** Runs the tests of CI, the long ones that CI leaves out, and every repetition of race tests. */
export async function run(args) {
  Object.assign(process.env, { CI: 'true', NIGHTLY: 'true' })
  await runTests(args)
}
