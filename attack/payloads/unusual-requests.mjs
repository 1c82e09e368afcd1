const crlf = '\r\n'

function get(line, ...headers) {
  return [line, 'Host: x', ...headers, 'Connection: close', '', ''].join(crlf)
}

export const unusualRequests = [
  ['an unknown method', get('FROB / HTTP/1.1')],
  ['a method in lower case', get('get / HTTP/1.1')],
  ['CONNECT', get('CONNECT evil.example:443 HTTP/1.1')],
  ['TRACE', get('TRACE / HTTP/1.1', 'X-Secret: 1')],
  ['OPTIONS *', get('OPTIONS * HTTP/1.1')],
  ['PRI', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/0.9', 'GET /\r\n'],
  ['HTTP/1.2', get('GET / HTTP/1.2')],
  ['HTTP/3.7', get('GET / HTTP/3.7')],
  ['TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'],
  ['NUL in the target', get('GET /\x00 HTTP/1.1')],
  ['NUL in a header', get('GET / HTTP/1.1', 'X-A: a\x00b')],
  ['bytes above ASCII in the target', get('GET /\xff\xfe HTTP/1.1')],
  ['bytes above ASCII in the cookie', get('GET /account HTTP/1.1', 'Cookie: \xff\xfe=\xfd')],
  ['an absolute URL of another host', get('GET http://evil.example/admin HTTP/1.1')],
  ['an absolute URL of another protocol', get('GET file:///etc/passwd HTTP/1.1')],
  ['a target without a slash', get('GET api/health HTTP/1.1')],
  ['a long target', get(`GET /${'a'.repeat(20_000)} HTTP/1.1`)],
  ['a long header', get('GET / HTTP/1.1', `X-A: ${'a'.repeat(20_000)}`)],
  ['many headers', get('GET / HTTP/1.1', ...Array.from({ length: 150 }, (_, n) => `X-${n}: 1`))],
  ['many cookies', get('GET /account HTTP/1.1', `Cookie: ${'a=b; '.repeat(2500)}`)],
  ['a header without a name', get('GET / HTTP/1.1', ': x')],
  ['a header without a colon', get('GET / HTTP/1.1', 'junk')],
  ['Expect', get('POST /api/auth/signout HTTP/1.1', 'Expect: 200-ok', 'Content-Length: 0')],
  ['a nested range', get('GET /theme.js HTTP/1.1', `Range: bytes=${'0-,'.repeat(1000)}0-`)],
  ['a bad date', get('GET /theme.js HTTP/1.1', 'If-Modified-Since: -1')],
  ['an internal header of Next', get('GET /admin HTTP/1.1', 'x-middleware-subrequest: middleware')],
  [
    'an internal path of Next',
    get('GET /admin HTTP/1.1', 'x-matched-path: /sign-in', 'x-now-route-matches: 1=a'),
  ],
  [
    'an image of another host',
    get('GET /_next/image?url=http://evil.example/x.png&w=64&q=75 HTTP/1.1'),
  ],
  ['an image of the API', get('GET /_next/image?url=/api/admin/audit.csv&w=64&q=75 HTTP/1.1')],
]
