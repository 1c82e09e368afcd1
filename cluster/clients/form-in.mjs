/** The hidden fields of the form with a server action, as a browser without JavaScript sends them. */
export function formIn(html) {
  const [form] = /<form[^>]*>(?:(?!<\/form>)[\s\S])*\$ACTION[\s\S]*?<\/form>/.exec(html) ?? []
  if (!form) return undefined
  const body = new FormData()
  for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    body.append(attribute(input, 'name'), attribute(input, 'value'))
  }
  return body
}

function attribute(tag, name) {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  return value.replaceAll(/&(quot|#x27|lt|gt|amp);/g, (_, entity) => characters[entity])
}

const characters = { quot: '"', '#x27': "'", lt: '<', gt: '>', amp: '&' }
