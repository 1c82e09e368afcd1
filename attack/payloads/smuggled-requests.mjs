const crlf = '\r\n'
const hidden = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n'

function post(headers, body) {
  return [`POST /api/auth/signout HTTP/1.1`, 'Host: x', ...headers, '', body].join(crlf)
}

const chunked = `0${crlf}${crlf}${hidden}`
const length = (text) => `Content-Length: ${text.length}`

/** Each contains a hidden request where two parsers could see its start in different places. */
export const smuggled = [
  ['length and chunked', post([length(chunked), 'Transfer-Encoding: chunked'], chunked)],
  ['chunked and length', post(['Transfer-Encoding: chunked', length(chunked)], chunked)],
  ['two lengths', post(['Content-Length: 0', length(hidden)], hidden)],
  ['two lengths in one header', post([`Content-Length: 0, ${hidden.length}`], hidden)],
  ['a signed length', post([`Content-Length: +${hidden.length}`], hidden)],
  ['a negative length', post(['Content-Length: -1'], hidden)],
  ['a hexadecimal length', post(['Content-Length: 0x0'], hidden)],
  ['a length with a space', post(['Content-Length: 0 0'], hidden)],
  ['a length with a comma', post([`Content-Length: ${hidden.length},`], hidden)],
  ['a space before the colon', post([`Content-Length : ${hidden.length}`], hidden)],
  ['a space in the name', post(['Content Length: 0'], hidden)],
  ['a folded length', post(['Content-Length: 0', ` ${hidden.length}`], hidden)],
  ['a folded header', post(['X-A: 1', '\tContent-Length: 0', length(hidden)], hidden)],
  ...[
    'xchunked',
    'chunked, identity',
    'identity, chunked',
    'identity',
    'chunked, chunked',
    ' \x0bchunked',
    '\x0cchunked',
    '"chunked"',
    'chunked;x=1',
    'chunKed\x00',
    'gzip, chunked',
    'cow',
  ].map((value) => [
    `Transfer-Encoding: ${JSON.stringify(value)} and a length`,
    post([length(chunked), `Transfer-Encoding: ${value}`], chunked),
  ]),
  [
    'a space before the colon of Transfer-Encoding',
    post([length(chunked), 'Transfer-Encoding : chunked'], chunked),
  ],
  [
    'two Transfer-Encoding headers',
    post([length(chunked), 'Transfer-Encoding: x', 'Transfer-Encoding: chunked'], chunked),
  ],
  [
    'a folded Transfer-Encoding',
    post([length(chunked), 'Transfer-Encoding:', ' chunked'], chunked),
  ],
  [
    'a line feed before Transfer-Encoding',
    post([length(chunked), 'X-A: b\nTransfer-Encoding: chunked'], chunked),
  ],
  [
    'a carriage return before Transfer-Encoding',
    post([length(chunked), 'X-A: b\rTransfer-Encoding: chunked'], chunked),
  ],
  ['a chunk of negative size', post(['Transfer-Encoding: chunked'], `-1${crlf}${hidden}`)],
  ['a chunk of size 0x', post(['Transfer-Encoding: chunked'], `0x0${crlf}${crlf}${hidden}`)],
  ['a chunk without a size', post(['Transfer-Encoding: chunked'], `${crlf}${crlf}${hidden}`)],
  ['a huge chunk size', post(['Transfer-Encoding: chunked'], `${'f'.repeat(40)}${crlf}${hidden}`)],
  [
    'a chunk extension with a line feed',
    post(['Transfer-Encoding: chunked'], `0;a=b\n${crlf}${hidden}`),
  ],
  ['a chunk that ends with a line feed', post(['Transfer-Encoding: chunked'], `0\n\n${hidden}`)],
  [
    'a body of GET',
    `GET /sign-in HTTP/1.1${crlf}Host: x${crlf}${length(hidden)}${crlf}${crlf}${hidden}`,
  ],
  [
    'an upgrade',
    `GET /api/unknown HTTP/1.1${crlf}Host: x${crlf}Connection: Upgrade, close${crlf}Upgrade: h2c${crlf}${length(hidden)}${crlf}${crlf}${hidden}`,
  ],
  [
    'two Host headers',
    `GET /api/health/live HTTP/1.1${crlf}Host: x${crlf}Host: evil.example${crlf}${crlf}`,
  ],
  ['no Host header', `GET /api/health/live HTTP/1.1${crlf}${crlf}`],
]
