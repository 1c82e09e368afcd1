/**
 * The code whose tests are judged, and the tests that must notice its faults: those next to the area,
 * not the whole suite, in which almost any fault breaks something far away.
 */
export const areas = {
  policies: {
    code: ['packages/plinth/src/guard/policy.ts', 'src/app/*/policy.ts'],
    tests: ['packages/plinth/tests/guard/policy.test.ts'],
  },
  passwords: {
    code: ['packages/plinth/src/auth/passwords/*.ts'],
    tests: [
      'packages/plinth/tests/auth/passwords/new-password.test.ts',
      'packages/plinth/tests/auth/passwords/hashing-{cores,queue,threads}.test.ts',
      'packages/plinth/tests/rate-limits/password-attempts.db.test.ts',
      'packages/plinth/tests/auth/accounts/reset-password.db.test.ts',
      'packages/plinth/tests/auth/accounts/sign-up.db.test.ts',
      'packages/plinth/tests/auth/accounts/demo-accounts.db.test.ts',
      'packages/plinth/tests/contract/{dummy-hash,hashing-queue-full,failed-sign-in}.db.test.ts',
    ],
  },
  links: {
    code: ['packages/plinth/src/auth/accounts/links.ts'],
    tests: [
      'packages/plinth/tests/auth/accounts/links.db.test.ts',
      'packages/plinth/tests/auth/accounts/reset-password.db.test.ts',
    ],
  },
  recovery: {
    code: ['packages/plinth/src/recovery/*.ts'],
    tests: ['packages/plinth/tests/recovery/*.test.ts'],
  },
  'rate-limits': {
    code: ['packages/plinth/src/rate-limits/*.ts'],
    tests: [
      'packages/plinth/tests/rate-limits/*.test.ts',
      'packages/plinth/tests/guard/rate-limited.test.ts',
      'packages/plinth/tests/http/client-ip.test.ts',
      'packages/plinth/tests/contract/sign-in-limits.db.test.ts',
    ],
  },
  http: {
    code: ['packages/plinth/src/http/*.ts'],
    tests: ['packages/plinth/tests/http/*.test.ts', 'packages/plinth/tests/log/outage-log.test.ts'],
  },
}

export const areaUnderTest = () => areas[process.env.MUTATION_AREA]
