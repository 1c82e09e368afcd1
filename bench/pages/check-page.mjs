/**
 * Checks that a page shows one row for each of the users, and nothing without a session: a server
 * that renders something else would be fast but wrong. Returns the size of the HTML in kilobytes.
 */
export async function checkPage({ label, url, headers }, emails) {
  const response = await get(url, headers)
  const html = await response.text()
  if (response.status !== 200) throw new Error(`${label} returned ${response.status}.`)
  const markup = html.replaceAll(/<script\b.*?<\/script>/gs, '')
  const missing = emails.filter((email) => !markup.includes(`>${email}<`))
  if (missing.length > 0) throw new Error(`${label} does not show ${missing.join(', ')}.`)
  if (emails.length > 0) {
    expectCount(label, markup, /<tr\b/g, emails.length + 1)
    expectCount(label, markup, />Change role<\/button>/g, emails.length)
    expectCount(label, markup, /<time\b/g, emails.length)
    if (headers.cookie) await expectNoUsersWithoutSession({ label, url }, emails)
  }
  return Buffer.byteLength(html) / 1024
}

function expectCount(label, markup, pattern, count) {
  const found = markup.match(pattern)?.length ?? 0
  if (found !== count) throw new Error(`${label} has ${found} of ${pattern}, not ${count}.`)
}

async function expectNoUsersWithoutSession({ label, url }, emails) {
  const response = await get(url, {})
  const html = await response.text()
  const isRefused = response.status === 401 || response.headers.has('location')
  if (!isRefused || emails.some((email) => html.includes(email))) {
    throw new Error(`${label} returned ${response.status} without a session.`)
  }
}

/** Uncompressed, like the requests of the load generator. */
function get(url, headers) {
  return fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' }, redirect: 'manual' })
}
