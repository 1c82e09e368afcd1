/**
 * The statements of a file, each as its tokens with one space in between, in lower case and without
 * comments. A string or a function body is '' whatever it contains.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function sqlStatements(text) {
  const statements = [[]]
  for (const token of tokensOf(text)) {
    const tokens = statements.at(-1)
    if (token !== ';' || isInsideBody(tokens)) tokens.push(token)
    else statements.push([])
  }
  return statements
    .filter((tokens) => tokens.length > 0)
    .map((tokens) =>
      tokens
        .join(' ')
        .replaceAll(' . ', '.')
        .replaceAll(/\bpublic\./g, ''),
    )
}

const pattern =
  /--[^\n]*|\/\*|(?:[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:''|[^'])*'|\$([\p{L}_]\w*)?\$[\s\S]*?\$\1\$)|"(?:""|[^"])*"|[\p{L}_][\p{L}\w$]*|\d[\w.]*|\s+|[\s\S]/gu

function* tokensOf(text) {
  const scanner = new RegExp(pattern)
  for (let match = scanner.exec(text); match; match = scanner.exec(text)) {
    const [token] = match
    if (token === '/*') scanner.lastIndex = endOfComment(text, scanner.lastIndex)
    else if (/^(--|\s)/.test(token)) continue
    else if (/^([eE]?'|\$[\s\S]*\$$)/.test(token)) yield "''"
    else yield /^"[a-z_][a-z0-9_]*"$/.test(token) ? token.slice(1, -1) : lowerCase(token)
  }
}

const lowerCase = (token) => (token.startsWith('"') ? token : token.toLowerCase())

/** Block comments nest. */
function endOfComment(text, start) {
  const signs = /\/\*|\*\//g
  signs.lastIndex = start
  let depth = 1
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    depth += sign[0] === '/*' ? 1 : -1
    if (depth === 0) return signs.lastIndex
  }
  return text.length
}

/** `begin atomic … end` of a function contains statements. */
function isInsideBody(tokens) {
  const start = tokens.indexOf('atomic')
  if (start < 1 || tokens[start - 1] !== 'begin') return false
  const body = tokens.slice(start)
  const count = (word) => body.filter((token) => token === word).length
  return 1 + count('case') > count('end')
}
