import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, watch } from 'node:fs'
import { expect, test } from 'vitest'
import { createInstalledProject } from './support/installed-project'
import { createProject, type Project } from './support/project'
import { run, serveOnce } from './support/run'

test.each([
  { signal: 'SIGTERM', exitCode: 143 },
  { signal: 'SIGINT', exitCode: 130 },
] as const)(
  'a build ended by $signal is ended whole and done again',
  async ({ signal, exitCode }) => {
    const project = createProject()
    await serveOnce(project.folder)
    project.write('src/extra.ts', 'export {}\n')

    const { start, builder } = await startAndHold(project, 'hold')
    start.child.kill(signal)
    expect(await start.exitCode).toBe(exitCode)
    expect(isRunning(builder)).toBe(false)
    expect(existsSync(project.path('dist/server.js'))).toBe(false)

    rmSync(project.path('hold'))
    expect((await serveOnce(project.folder)).output).toContain('Building: done')
  },
)

test('a build whose process was killed outright is done again', async () => {
  const project = await createInstalledProject()
  project.write('src/extra.ts', 'export {}\n')
  const { start, builder } = await startAndHold(project, 'hold')
  start.child.kill('SIGKILL')
  await start.exitCode
  expect(existsSync(project.path('dist/server.js'))).toBe(false)

  rmSync(project.path('hold'))
  const again = run(project.folder, ['scripts/start.mjs'])
  await again.says(`Process ${builder} is setting up this folder: waiting.`)
  process.kill(builder, 'SIGKILL')
  await again.says('serving')
  expect(again.output()).toContain('Building: done')
  again.child.kill('SIGTERM')
  expect(await again.exitCode).toBe(0)
})

test('an install that was ended is done again', async () => {
  const project = createProject()
  project.write('preinstall.mjs', holdsInstall)
  project.writePackage({ scripts: { preinstall: 'node preinstall.mjs' } })
  const { start, builder } = await startAndHold(project, 'hold-install')
  start.child.kill('SIGTERM')
  expect(await start.exitCode).toBe(143)
  expect(isRunning(builder)).toBe(false)

  rmSync(project.path('hold-install'))
  const { output } = await serveOnce(project.folder)
  expect(output).toContain('Installing dependencies: done')
  expect((await serveOnce(project.folder)).output).not.toContain('Installing')
})

test('of two at once the second waits, and does what the first did not', async () => {
  const project = await createInstalledProject()
  project.write('src/extra.ts', 'export {}\n')
  const { start, builder } = await startAndHold(project, 'hold')
  rmSync(project.path('hold'))
  const second = run(project.folder, ['scripts/start.mjs'])
  await second.says('is setting up this folder: waiting.')

  process.kill(builder, 'SIGKILL')
  expect(await start.exitCode).toBe(1)
  expect(start.output()).toContain('The build failed.')
  await second.says('serving')
  expect(second.output()).toContain('Building: done')
})

test('a build that fails says so and is not served', async () => {
  const project = await createInstalledProject()
  project.write('fail', '')
  project.write('src/extra.ts', 'export {}\n')
  const start = run(project.folder, ['scripts/start.mjs'])
  expect(await start.exitCode).toBe(1)
  expect(start.lines().slice(-2)).toEqual([
    'src/app/page.tsx: a mistake',
    `The build failed. All of its output: ${project.path('dist/build.log')}`,
  ])
})

const holdsInstall = `import { existsSync, writeFileSync } from 'node:fs'
if (existsSync('hold-install')) {
  writeFileSync('held', String(process.pid))
  setInterval(() => {}, 1000)
}
`

/** Starts, and waits until the step that holds has told its process id. */
async function startAndHold(project: Project, hold: string) {
  project.write(hold, '')
  const written = new Promise<void>((resolve) => {
    const watcher = watch(project.folder, () => {
      if (!existsSync(project.path('held')) || readHeld() === '') return
      watcher.close()
      resolve()
    })
  })
  const readHeld = () => readFileSync(project.path('held'), 'utf8')
  const start = run(project.folder, ['scripts/start.mjs'])
  await written
  return { start, builder: Number(readHeld()) }
}

/** One that has ended but that nobody asked for its exit code yet (a zombie) does not run. */
function isRunning(pid: number) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z]/.test(stdout.trim())
}
