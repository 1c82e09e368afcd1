import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Build } from '#db/static-files'
import { readOwnBuild } from '#server/static-files/builds'

/** A build with these static files. */
export async function staticBuild(files: Record<string, string | Buffer>): Promise<Build> {
  const { stored } = await readOwnBuild(staticFolder(files))
  if (!stored) throw new Error('The build is too large to be stored.')
  return stored
}

export function staticFolder(files: Record<string, string | Buffer>): string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-static-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
