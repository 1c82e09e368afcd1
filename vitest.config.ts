import { vitestConfig } from 'plinth/testing/vitest'

export default vitestConfig({
  alone: ['tests/{attack,cluster}/nightly/*.test.ts'],
  wholeSuites: [
    'tests/cli/nightly/{combinations,created-app}.test.ts',
    'tests/deploy/nightly/image.test.ts',
    'tests/docs/nightly/{recipes,tutorial}.test.ts',
    'tests/scripts/nightly/clean-clone.test.ts',
  ],
  // The whole run at night has all that the sample has.
  exclude: process.env.NIGHTLY === 'true' ? ['tests/attack/sample.test.ts'] : [],
})
