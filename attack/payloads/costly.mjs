import { gzipSync } from 'node:zlib'

const deep = (open, close, count) => open.repeat(count) + close.repeat(count)
const jsonType = { 'content-type': 'application/json' }
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/** Bodies of the sign-in, with their headers. */
export function apiBodies() {
  const zeros = gzipSync(Buffer.alloc(10 * 1024 * 1024))
  const many = Array.from({ length: 6000 }, (_, index) => `k${index}=1`).join('&')
  return [
    [deep('[', ']', 30_000), jsonType],
    [`{"email":${deep('{"a":', '}', 10_000)}}`, jsonType],
    [`{"email":"${'a'.repeat(60_000)}","password":"x"}`, jsonType],
    [`{"email":"a@example.com","password":"${'p'.repeat(60_000)}"}`, jsonType],
    [`{"email":"${'a@'.repeat(20_000)}","password":"x"}`, jsonType],
    [`{"email":"${'é'.repeat(20_000)}@example.com","password":"x"}`, jsonType],
    [`{"email":"${'ﷺ'.repeat(15_000)}","password":"x"}`, jsonType],
    [`{${'"a":1,'.repeat(9000)}"email":"x"}`, jsonType],
    [`{"email":${'9'.repeat(60_000)}}`, jsonType],
    ['{"__proto__":{"email":"viewer@example.com"},"constructor":{"prototype":{}}}', jsonType],
    ['x'.repeat(200_000), jsonType],
    [many, formType],
    ['%'.repeat(60_000), formType],
    ['a[b][c][d]='.repeat(5000), formType],
    [zeros, { ...jsonType, 'content-encoding': 'gzip' }],
    [zeros, { 'content-type': 'application/zip' }],
    ['\ufeff{"email":"a"}', jsonType],
    ['{"email":"\\ud800"}', jsonType],
    ['{}', { 'content-type': `application/json; ${'a=b; '.repeat(1500)}` }],
  ]
}

export function actionBodies() {
  return [
    deep('[', ']', 100_000),
    `[${deep('{"a":', '}', 50_000).replace(':}', ':1}')}]`,
    `["$n${'9'.repeat(300_000)}"]`,
    `[${'"$0",'.repeat(20_000)}1]`,
    `[${'"$undefined",'.repeat(50_000)}1]`,
    `[{"email":"${'a'.repeat(900_000)}"}]`,
    `[{"email":"${'a@a.'.repeat(200_000)}"}]`,
    `[{"email":"${'\u0130'.repeat(200_000)}@example.com"}]`,
  ]
}

/** Requests with a body that has a chunk for each byte. */
export function tinyChunks() {
  return ['/forgot', '/api/auth/signin'].map((path) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded`
    const body = `2\r\na=\r\n${'1\r\na\r\n'.repeat(60_000)}0\r\n\r\n`
    return [path, `${head}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body}`]
  })
}

export function queries() {
  const long = (text, count) => encodeURIComponent(text.repeat(count))
  return [
    `/admin/users?query=${long('%', 500)}`,
    `/admin/users?query=${long('_%', 400)}`,
    `/admin/users?query=${long('a%', 400)}x`,
    `/admin/users?query=${long('\\', 500)}`,
    `/admin/users?cursor=${long('A', 4000)}`,
    `/admin/users?${'query=a&'.repeat(1000)}`,
    `/admin/users?${'a&'.repeat(7500)}`,
    `/admin/audit?user=${long("'", 500)}&from=99999-99-99`,
    '/admin/audit?from=-271821-04-20&to=275760-09-13',
    '/api/demo/admin/users?limit=1e9',
    '/api/demo/admin/users?limit=-1',
    `/api/demo/admin/users?query=${long('%_', 2000)}`,
    `/api/demo/admin/users?cursor=${Buffer.from('{"id":{"a":1}}').toString('base64url')}`,
    `/articles?query=${long("':* & ", 33)}`,
    `/articles?query=${long('a ', 100)}`,
    `/articles?cursor=${Buffer.from('[[[[]]]]').toString('base64url')}`,
    `/articles/${'0'.repeat(3000)}`,
    `/articles/${long('é', 500)}`,
    `/sign-in?error=${long('<', 2000)}`,
    `/sign-in?callbackUrl=${long('/', 4000)}`,
    `/reset?token=${long('a', 5000)}`,
    `/account/sessions?sessions=${long('__proto__.', 300)}`,
    '/account/connected?error=__proto__&error=constructor',
  ]
}
