const multipart = { 'content-type': 'multipart/form-data; boundary=xx' }

function part(name, value) {
  return `--xx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--xx--\r\n`
}

/** The body of an action and headers that replace the usual ones. */
export const unreadableBodies = [
  ['', {}],
  ['junk', {}],
  ['["a', {}],
  ['7', {}],
  ['null', {}],
  ['["$1"]', {}],
  ['["$1:__proto__:x"]', {}],
  ['["$0:0:0"]', {}],
  ['["$@0"]', {}],
  ['["$F1"]', {}],
  ['["$h0"]', {}],
  ['["$n1x"]', {}],
  ['["$Djunk"]', {}],
  ['["$Q0"]', {}],
  ['["$W0"]', {}],
  ['["$B0"]', {}],
  ['["$r0"]', {}],
  ['["$undefined"]', {}],
  ['[{"then":"$@0"}]', {}],
  ['[{"__proto__":{"email":"a@example.com"}}]', {}],
  ['junk', { 'content-type': 'multipart/form-data' }],
  ['junk', multipart],
  [part('0', '[]').slice(0, -9), multipart],
  [part('1', '[]'), multipart],
  [part('0', 'junk'), multipart],
  [part('0', '["$F1"]'), multipart],
  [part('__proto__', '[]'), multipart],
  ['[]', { 'next-action': '__proto__' }],
  ['[]', { 'next-action': 'a'.repeat(42) }],
  ['[]', { 'next-action': '' }],
  ['[]', { 'next-action': 'constructor' }],
  ['[]', { origin: 'junk', 'sec-fetch-site': 'same-origin' }],
  ['[]', { 'content-type': 'application/octet-stream' }],
  [`["${'x'.repeat(1024 * 1024)}"]`, {}],
]

/** Forms without JavaScript. */
export function unreadableForms(id) {
  return [
    ['junk', multipart],
    [part(`$ACTION_ID_${id}`, '').slice(0, -9), multipart],
    [part(`$ACTION_ID_${'a'.repeat(42)}`, ''), multipart],
    [part('$ACTION_ID___proto__', ''), multipart],
    [part('$ACTION_REF_1', ''), multipart],
    [part('$ACTION_REF___proto__', ''), multipart],
    [part('$ACTION_1:0', '{"id":"x","bound":"$@9"}'), multipart],
  ]
}

export const unreadableStates = [
  'junk',
  '%zz',
  '%5B',
  '7',
  '{}',
  'null',
  '["",7]',
  '["",{"children":"x"}]',
  '['.repeat(5000),
  encodeURIComponent('["",{"children":["__proto__",{}]},null,null]'),
].flatMap((state) => [
  { 'next-router-state-tree': state },
  { 'next-router-state-tree': state, 'next-router-prefetch': '1' },
])
