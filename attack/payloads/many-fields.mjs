const maxBytes = 1024 * 1024 - 4096

/** As often as fits into the largest body that is read. */
function fill(text, bytes = maxBytes) {
  return text.repeat(Math.floor(bytes / text.length))
}

function part(name, value = '', more = '') {
  return `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
}

function multipart(parts, headers) {
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  return { body: `${parts}--x--\r\n`, headers: { ...type, ...headers } }
}

function urlEncoded(body, headers) {
  return { body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } }
}

/** Requests for a page, by name, that are refused because of their fields, names or values. */
export function manyFields(id) {
  const call = { 'next-action': id }
  const text = { 'content-type': 'text/plain;charset=UTF-8', ...call }
  const addressed = part(`$ACTION_ID_${id}`)
  const bound = part('$ACTION_REF_1') + part('$ACTION_1:0', JSON.stringify({ id, bound: '$@1' }))
  const files = fill(part('a', '', '; filename=""'))
  const list = (value) => `[${fill(`${value},`)}1]`
  return {
    'empty files': multipart(files),
    'empty files in a call': multipart(files, call),
    'empty files in a form': multipart(addressed + files),
    'empty parts': multipart(fill(part('a'))),
    'empty parts in a call': multipart(fill(part('a')), call),
    '201 parts in a form': multipart(addressed + part('a').repeat(200)),
    'a long name': multipart(part('a'.repeat(maxBytes))),
    'a name of 201 characters': multipart(addressed + part('a'.repeat(201))),
    'a long header': multipart(`--x\r\n${fill('a: b\r\n')}\r\n\r\n`),
    'URL-encoded fields': urlEncoded(fill('a&')),
    'URL-encoded fields in a call': urlEncoded(fill('a&'), call),
    'a long URL-encoded name': urlEncoded(fill('%41')),
    'a list of lists': { body: list('[]'), headers: text },
    'a list of objects': { body: list('{}'), headers: text },
    'a list of references': { body: list('"$0"'), headers: text },
    'lists in lists': { body: '['.repeat(maxBytes), headers: text },
    'a list in a part': multipart(part('0', list('[]')), call),
    'a list bound to a form': multipart(bound + part('$ACTION_1:1', list('[]'))),
  }
}
