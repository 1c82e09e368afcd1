import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Hard links to the packages of this repository, so that nothing is downloaded. */
export async function linkPackages(folder: string): Promise<void> {
  execFileSync('cp', ['-al', resolve('node_modules'), join(folder, 'node_modules')])
  rmSync(join(folder, 'node_modules/.cache'), { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules/.cache'))
  const stamp = await import(
    pathToFileURL(join(folder, 'packages/plinth/scripts/setup/install.mjs')).href
  )
  await stamp.writeInstallStamp()
}
