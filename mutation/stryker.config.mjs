import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  // Not in this folder, whose files other tools read.
  tempDirName: join(tmpdir(), 'plinth-mutation'),
  ignorePatterns: ['.next', 'dist', 'mutation/node_modules', 'mutation/reports'],
}
