import { readFileSync, rmSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { identifyProcess } from '../../../packages/plinth/scripts/setup/lock.mjs'
import { createInstalledProject } from '../support/installed-project'
import { run } from '../support/run'

const lockFile = 'node_modules/.cache/plinth/setup.lock'
const self = identifyProcess(process.pid)
const exited = { pid: 2 ** 22 + 1 }
const reusedPid = { pid: process.pid, startTime: '1' }
const hourAgo = new Date(Date.now() - 3_600_000)
const minuteAgo = new Date(Date.now() - 60_000)

const lock = (...processes: object[]) => JSON.stringify({ host: hostname(), processes })
const lockOfOtherHost = JSON.stringify({ host: 'elsewhere', processes: [exited] })

test.each([
  { left: 'an exited process', text: lock(exited) },
  { left: 'an exited process and its exited npm', text: lock(exited, exited) },
  { left: 'a process whose pid was reused', text: lock(reusedPid), only: 'linux' },
  { left: 'another host an hour ago', text: lockOfOtherHost, time: hourAgo },
  { left: 'a full disk a minute ago', text: '', time: minuteAgo },
  { left: 'a crash a minute ago', text: '{"host":"', time: minuteAgo },
])('takes over a lock left by $left', async ({ text, time, only = process.platform }) => {
  if (only !== process.platform) return
  const project = await createInstalledProject()
  project.write(lockFile, text)
  if (time) utimesSync(project.path(lockFile), time, time)
  project.write('src/extra.ts', 'export {}\n')
  const build = run(project.folder, ['scripts/start.mjs', 'build'])
  expect(await build.exitCode).toBe(0)
  expect(build.output()).toMatch(/^Building …\nBuilding: done/)
})

const processHolds = `Process ${process.pid} is setting up this folder. Waiting. Lock file: `
const hostHolds = 'Host elsewhere is setting up this folder. Waiting. If that host is gone, delete '

test.each([
  { holder: 'a running process', text: lock(self), message: processHolds },
  {
    holder: 'the running npm of a killed process',
    text: lock(exited, self),
    message: processHolds,
  },
  { holder: 'another host', text: lockOfOtherHost, message: hostHolds },
])('waits for a lock held by $holder', async ({ text, message }) => {
  const project = await createInstalledProject()
  project.write(lockFile, text)
  project.write('src/extra.ts', 'export {}\n')
  const build = run(project.folder, ['scripts/start.mjs', 'build'])
  await build.prints(`${message}${project.path(lockFile)}\n`)
  expect(readFileSync(project.path(lockFile), 'utf8')).toBe(text)
  rmSync(project.path(lockFile))
  expect(await build.exitCode).toBe(0)
  expect(build.output()).toContain('Building: done')
})
