import { randomBytes } from 'node:crypto'

/** Submits a form as a browser without JavaScript does, including its hidden fields. */
export async function submitForm(
  page: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const html = await (await fetch(page, { headers })).text()
  const [form = ''] = /<form[^>]*>(?:(?!<\/form>)[\s\S])*\$ACTION[\s\S]*?<\/form>/.exec(html) ?? []
  const body = new FormData()
  for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    body.append(attribute(input, 'name'), attribute(input, 'value'))
  }
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** In a /64 of its own, so that no other test or earlier run has used up its rate limits. */
export function randomIp(): string {
  const [one, other] = randomBytes(4).toString('hex').match(/.{4}/g) ?? []
  return `2001:db8:${one}:${other}::1`
}
