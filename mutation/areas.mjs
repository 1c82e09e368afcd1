/**
 * The code whose tests are judged, and the tests that must notice its faults: those next to the area,
 * not the whole suite, in which almost any fault breaks something far away.
 */
export const areas = {
  policies: {
    code: ['packages/plinth/src/guard/policy.ts', 'src/app/*/policy.ts'],
    tests: ['packages/plinth/tests/policy.test.ts'],
  },
  passwords: {
    code: ['packages/plinth/src/auth/passwords/*.ts'],
    tests: [
      'packages/plinth/tests/new-password.test.ts',
      'packages/plinth/tests/hashing-{cores,queue,threads}.test.ts',
      'packages/plinth/tests/password-attempts.db.test.ts',
      'packages/plinth/tests/reset-password.db.test.ts',
      'packages/plinth/tests/sign-up.db.test.ts',
      'packages/plinth/tests/demo-accounts.db.test.ts',
      'packages/plinth/tests/contract/{dummy-hash,hashing-queue-full,failed-sign-in}.db.test.ts',
    ],
  },
  links: {
    code: ['packages/plinth/src/auth/accounts/links.ts'],
    tests: [
      'packages/plinth/tests/links.db.test.ts',
      'packages/plinth/tests/reset-password.db.test.ts',
    ],
  },
  recovery: {
    code: ['packages/plinth/src/recovery/*.ts'],
    tests: ['packages/plinth/tests/recovery/*.test.ts'],
  },
  'rate-limits': {
    code: ['packages/plinth/src/rate-limits/*.ts'],
    tests: [
      'packages/plinth/tests/{redis-counts,rate-limited,one-at-a-time,known-device,client-ip}.test.ts',
      'packages/plinth/tests/{rate-limit-counts,password-attempts}.db.test.ts',
      'packages/plinth/tests/contract/sign-in-limits.db.test.ts',
    ],
  },
  http: {
    code: ['packages/plinth/src/http/*.ts'],
    tests: [
      'packages/plinth/tests/http/*.test.ts',
      'packages/plinth/tests/{callback-url,client-ip,json-chunks,outage-log,page-registry,request-context,request-log}.test.ts',
    ],
  },
}

export const areaUnderTest = () => areas[process.env.MUTATION_AREA]
