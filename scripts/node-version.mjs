// Loaded by every Node that can load a module at all: no syntax here that Node 12 cannot parse.

export const oldestNode = '20.9.0'

export function isOlder(version, than) {
  const [left, right] = [version, than].map(numbersOf)
  for (let index = 0; index < 3; index += 1) {
    if (left[index] !== right[index]) return left[index] < right[index]
  }
  return false
}

export function complaintAbout(version) {
  if (!isOlder(version, oldestNode)) return undefined
  const needed = oldestNode.replace(/\.0$/, '')
  return `Node ${numbersOf(version).join('.')} is too old: Node ${needed} or later is needed (https://nodejs.org).`
}

function numbersOf(version) {
  return version
    .replace(/^v/, '')
    .split('-')[0]
    .split('.')
    .map((part) => Number(part))
}
