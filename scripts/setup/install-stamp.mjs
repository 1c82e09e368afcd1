import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, inRoot } from '../paths.mjs'

const file = join(cacheFolder, 'installed')

/** The stamp is written last and removed first, so an interrupted install has none. */
export async function isInstalled() {
  const stamp = await readFile(file, 'utf8').catch(() => '')
  return stamp === (await fingerprint())
}

export async function clearInstallStamp() {
  await rm(file, { force: true })
}

export async function writeInstallStamp() {
  await mkdir(cacheFolder, { recursive: true })
  await writeFile(file, await fingerprint())
}

async function fingerprint() {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json']) {
    const text = await readFile(inRoot(name)).catch(() => '')
    hash.update(`${name}\n`).update(text)
  }
  const platform = [process.platform, process.arch, process.versions.modules].join('-')
  return `${platform} ${hash.digest('hex')}`
}
