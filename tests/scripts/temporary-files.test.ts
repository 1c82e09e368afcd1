import { expect, test } from 'vitest'
import { allowsPrograms } from '../../packages/plinth/scripts/testing/runners.mjs'

test.each([
  ['tmpfs /dev/shm tmpfs rw,relatime,size=24643328k 0 0', true],
  ['shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0', false],
  ['tmpfs /dev/shm tmpfs rw 0 0\ntmpfs /dev/shm tmpfs rw,noexec 0 0', false],
  ['tmpfs /run/shm tmpfs rw 0 0', false],
  ['', false],
])('whether /dev/shm can hold programs: %s', (mounts, expected) => {
  expect(allowsPrograms(`/dev/vda / ext4 rw 0 0\n${mounts}\n`)).toBe(expected)
})
