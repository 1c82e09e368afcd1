/** The headers of a browser that another site makes send a request. */
export function foreignHeaders(url) {
  const { origin, host, hostname, port } = new URL(url)
  const evil = 'https://evil.example'
  return [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: evil },
    { 'sec-fetch-site': 'same-site', origin: `http://sub.${host}` },
    { 'sec-fetch-site': 'SAME-ORIGIN' },
    { 'sec-fetch-site': 'same-origin, cross-site', origin: evil },
    { 'sec-fetch-site': '' },
    { origin: evil },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: `http://${hostname}:${Number(port) + 1}` },
    { origin: `http://${hostname}` },
    { origin: `https://${host}` },
    { origin: `http://sub.${host}` },
    { origin: `${origin}.evil.example` },
    { origin: `http://${hostname}.evil.example:${port}` },
    { origin: `http://evil.example/${host}` },
    { origin: `${origin}@evil.example` },
    { origin: `${origin}/` },
    { origin: `${origin}, ${evil}` },
    { origin: 'file://' },
    { origin: evil, referer: `${origin}/account` },
    { origin: evil, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { origin: evil, authorization: 'Bearer invalid' },
    { 'sec-fetch-site': 'cross-site', authorization: `Bearer ${'x'.repeat(43)}` },
    { origin: evil, 'x-requested-with': 'XMLHttpRequest' },
  ]
}

/** The bodies that a form of another site can send, and JSON. */
export const bodies = [
  { body: undefined, headers: {} },
  { body: '{"redirect":false}', headers: { 'content-type': 'application/json' } },
  { body: '{"redirect":false}', headers: { 'content-type': 'text/plain' } },
  { body: 'redirect=false', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  {
    body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  },
]
