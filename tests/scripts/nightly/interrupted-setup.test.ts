import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, watch } from 'node:fs'
import { expect, test } from 'vitest'
import { createInstalledProject } from '../support/installed-project'
import { createProject, type Project } from '../support/project'
import { run, serveOnce } from '../support/run'

test.each([
  { signal: 'SIGTERM', exitCode: 143 },
  { signal: 'SIGINT', exitCode: 130 },
] as const)(
  'a build stopped by $signal leaves no process and runs again',
  async ({ signal, exitCode }) => {
    const project = createProject()
    await serveOnce(project.folder)
    project.write('src/extra.ts', 'export {}\n')

    const { start, builder } = await startAndPause(project, 'pause')
    start.child.kill(signal)
    expect(await start.exitCode).toBe(exitCode)
    expect(isRunning(builder)).toBe(false)
    expect(existsSync(project.path('.next/plinth/build.json'))).toBe(false)

    rmSync(project.path('pause'))
    expect((await serveOnce(project.folder)).output).toContain('Building: done')
  },
)

test('waits for the builder of a killed start, then builds again', async () => {
  const project = await createInstalledProject()
  project.write('src/extra.ts', 'export {}\n')
  const { start, builder } = await startAndPause(project, 'pause')
  start.child.kill('SIGKILL')
  await start.exitCode
  expect(existsSync(project.path('.next/plinth/build.json'))).toBe(false)

  rmSync(project.path('pause'))
  const again = run(project.folder, ['scripts/start.mjs', 'start'])
  await again.prints(`Process ${builder} is setting up this folder. Waiting.`)
  process.kill(builder, 'SIGKILL')
  await again.prints('serving')
  expect(again.output()).toContain('Building: done')
  again.child.kill('SIGTERM')
  expect(await again.exitCode).toBe(0)
})

test('an interrupted install runs again', async () => {
  const project = createProject()
  project.write('preinstall.mjs', pausesInstall)
  project.writePackage({ scripts: { preinstall: 'node preinstall.mjs' } })
  const { start, builder } = await startAndPause(project, 'pause-install')
  start.child.kill('SIGTERM')
  expect(await start.exitCode).toBe(143)
  expect(isRunning(builder)).toBe(false)

  rmSync(project.path('pause-install'))
  const { output } = await serveOnce(project.folder)
  expect(output).toContain('Installing dependencies: done')
  expect((await serveOnce(project.folder)).output).not.toContain('Installing')
})

test('of two concurrent starts the second waits, then builds if the first failed', async () => {
  const project = await createInstalledProject()
  project.write('src/extra.ts', 'export {}\n')
  const { start, builder } = await startAndPause(project, 'pause')
  rmSync(project.path('pause'))
  const second = run(project.folder, ['scripts/start.mjs', 'start'])
  await second.prints('is setting up this folder. Waiting.')

  process.kill(builder, 'SIGKILL')
  expect(await start.exitCode).toBe(1)
  expect(start.output()).toContain('Build failed.')
  await second.prints('serving')
  expect(second.output()).toContain('Building: done')
})

test('a failed build prints its error and is not served', async () => {
  const project = await createInstalledProject()
  project.write('fail', '')
  project.write('src/extra.ts', 'export {}\n')
  const start = run(project.folder, ['scripts/start.mjs', 'start'])
  expect(await start.exitCode).toBe(1)
  expect(start.lines().slice(-2)).toEqual([
    'src/app/page.tsx: a mistake',
    `Build failed. Full output: ${project.path('node_modules/.cache/plinth/build.log')}`,
  ])
})

const pausesInstall = `import { existsSync, writeFileSync } from 'node:fs'
if (existsSync('pause-install')) {
  writeFileSync('pid', String(process.pid))
  setInterval(() => {}, 1000)
}
`

/** Starts, and waits until the paused step has written its pid. */
async function startAndPause(project: Project, pauseFile: string) {
  project.write(pauseFile, '')
  const written = new Promise<void>((resolve) => {
    const watcher = watch(project.folder, () => {
      if (!existsSync(project.path('pid')) || readPid() === '') return
      watcher.close()
      resolve()
    })
  })
  const readPid = () => readFileSync(project.path('pid'), 'utf8')
  const start = run(project.folder, ['scripts/start.mjs', 'start'])
  await written
  return { start, builder: Number(readPid()) }
}

/** A zombie, whose parent has not read its exit code, does not run. */
function isRunning(pid: number) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z]/.test(stdout.trim())
}
