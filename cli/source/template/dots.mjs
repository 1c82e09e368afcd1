// npm leaves .gitignore and its kin out of what it packs, so names that begin with a dot are packed
// with a word before it.

export function withoutDots(path) {
  return path.replaceAll(/(^|\/)\./g, '$1dot.')
}

export function withDots(path) {
  return path.replaceAll(/(^|\/)dot\./g, '$1.')
}
