import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the changelog says of the versions after one, up to another. */
export async function newsBetween(cli, from, to) {
  const places = [join(cli, 'CHANGELOG.md'), join(cli, '..', 'CHANGELOG.md')]
  const place = places.find((path) => existsSync(path))
  if (!place) return ''
  const sections = (await readFile(place, 'utf8')).split(/^(?=## )/m).slice(1)
  const wanted = sections.filter((section) => {
    const version = /^## \[?(\d+\.\d+\.\d+)/.exec(section)?.[1]
    return version && compare(version, from) > 0 && compare(version, to) <= 0
  })
  return wanted.map((section) => section.trim()).join('\n\n')
}

function compare(one, other) {
  const [left, right] = [one, other].map((version) => version.split(/[.-]/).map(Number))
  for (const index of [0, 1, 2]) {
    if (left[index] !== right[index]) return left[index] - right[index]
  }
  return 0
}
