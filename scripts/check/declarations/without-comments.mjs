/**
 * Strings are matched so that a comment sign in them is kept.
 *
 * @param {string} path
 * @param {string} text
 */
export function withoutComments(path, text) {
  const pattern = path.endsWith('.sql') ? sqlPattern : typeScriptPattern
  return text.replace(pattern, (match, string) => (string === undefined ? '' : match))
}

const sqlPattern = /('(?:''|[^'])*'|"[^"\n]*")|\/\*[\s\S]*?\*\/|--[^\n]*/g

const typeScriptPattern =
  /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g
