/**
 * The code whose tests are judged, and the tests that must notice its faults: those next to the area,
 * not the whole suite, in which almost any fault breaks something far away.
 */
export const areas = {
  policies: {
    code: ['src/core/guard/policy.ts', 'src/app/*/policy.ts'],
    tests: ['tests/core/policy.test.ts'],
  },
  passwords: {
    code: ['src/core/auth/passwords/*.ts'],
    tests: [
      'tests/core/new-password.test.ts',
      'tests/core/hashing-{cores,queue,threads}.test.ts',
      'tests/core/password-attempts.db.test.ts',
      'tests/core/reset-password.db.test.ts',
      'tests/core/sign-up.db.test.ts',
      'tests/core/demo-accounts.db.test.ts',
      'tests/core/contract/{dummy-hash,hashing-queue-full,failed-sign-in}.db.test.ts',
    ],
  },
  links: {
    code: ['src/core/auth/accounts/links.ts'],
    tests: ['tests/core/links.db.test.ts', 'tests/core/reset-password.db.test.ts'],
  },
  recovery: {
    code: ['src/core/recovery/*.ts'],
    tests: ['tests/core/recovery/*.test.ts'],
  },
  'rate-limits': {
    code: ['src/core/rate-limits/*.ts'],
    tests: [
      'tests/core/{redis-counts,rate-limited,one-at-a-time,known-device,client-ip}.test.ts',
      'tests/core/{rate-limit-counts,password-attempts}.db.test.ts',
      'tests/core/contract/sign-in-limits.db.test.ts',
    ],
  },
  http: {
    code: ['src/core/http/*.ts'],
    tests: [
      'tests/core/http/*.test.ts',
      'tests/core/{callback-url,client-ip,json-chunks,outage-log,page-registry,request-context,request-log}.test.ts',
    ],
  },
}

export const areaUnderTest = () => areas[process.env.MUTATION_AREA]
