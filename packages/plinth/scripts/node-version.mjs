// Parsed by every Node that loads ES modules: no syntax here that Node 12 cannot parse.

export const minimumNode = '20.9.0'

export function isOlder(version, than) {
  const [left, right] = [version, than].map(parseVersion)
  for (let index = 0; index < 3; index += 1) {
    if (left[index] !== right[index]) return left[index] < right[index]
  }
  return false
}

export function nodeVersionError(version) {
  if (!isOlder(version, minimumNode)) return undefined
  const required = minimumNode.replace(/\.0$/, '')
  return `Node ${parseVersion(version).join('.')} is too old. Install Node ${required} or later: https://nodejs.org`
}

function parseVersion(version) {
  return version
    .replace(/^v/, '')
    .split('-')[0]
    .split('.')
    .map((part) => Number(part))
}
