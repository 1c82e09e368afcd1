import { areaUnderTest } from './areas.mjs'
import { reportOf } from './results.mjs'

export default {
  mutate: areaUnderTest().code,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: reportOf(process.env.MUTATION_AREA) },
  // Stryker reads it with the API of an earlier compiler.
  tsconfigFile: 'none',
  tempDirName: 'mutation/.copy',
  ignorePatterns: ['.next', 'dist', 'mutation/node_modules', 'mutation/reports'],
}
