import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, inRoot } from '../paths.mjs'

const file = join(cacheFolder, 'installed')

/** Written last, removed first: an install that was cut short has none. */
export async function isInstalled() {
  const [stamp, wanted] = await Promise.all([readFile(file, 'utf8').catch(() => ''), fingerprint()])
  return stamp === wanted
}

export async function forgetInstall() {
  await rm(file, { force: true })
}

export async function rememberInstall() {
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
