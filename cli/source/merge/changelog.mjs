import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The changelog sections after version `from`, up to and including `to`. */
export async function changelogBetween(cli, from, to) {
  const candidates = [join(cli, 'CHANGELOG.md'), join(cli, '..', 'CHANGELOG.md')]
  const file = candidates.find((path) => existsSync(path))
  if (!file) return ''
  const sections = (await readFile(file, 'utf8')).split(/^(?=## )/m).slice(1)
  const selected = sections.filter((section) => {
    const version = /^## \[?(\d+\.\d+\.\d+)/.exec(section)?.[1]
    return version && compare(version, from) > 0 && compare(version, to) <= 0
  })
  return selected.map((section) => section.trim()).join('\n\n')
}

function compare(one, other) {
  const [left, right] = [one, other].map((version) => version.split(/[.-]/).map(Number))
  for (const index of [0, 1, 2]) {
    if (left[index] !== right[index]) return left[index] - right[index]
  }
  return 0
}
