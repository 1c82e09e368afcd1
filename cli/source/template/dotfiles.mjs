// `npm pack` omits .gitignore and similar files, so dotfiles are packed with the prefix "dot".

export function encodeDotfiles(path) {
  return path.replaceAll(/(^|\/)\./g, '$1dot.')
}

export function decodeDotfiles(path) {
  return path.replaceAll(/(^|\/)dot\./g, '$1.')
}
