import { randomUUID } from 'node:crypto'
import { encodings } from '../../attack/support/actions.mjs'
import { formIn } from './form-in.mjs'
import { cookie, send, unexpected } from './send.mjs'

const path = '/articles/new'

/** Calls the action as the scripts of either build do. */
export async function postWithScripts(context, token, count) {
  const build = count % 2 === 0 ? context.builds.first : context.builds.second
  const encoding = count % 4 < 2 ? 'multipart' : 'text/plain'
  const fields = newFields()
  const request = encodings[encoding](build.actions.get('createArticle'), fields)
  // Whatever the response is: the text is still in the page.
  await post(context, 'form', token, fields, { ...request, kept: () => true })
}

/** Posts the form of a page without scripts. Another instance may have rendered it. */
export async function postWithoutScripts(context, token) {
  const page = await send(context.journal, 'form page', context.url + path, {
    headers: cookie(token),
    judge: (answer) => (formIn(answer.text) ? undefined : unexpected(answer)),
  })
  if (!page.ok) return
  const fields = newFields()
  const body = formIn(page.text)
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  const kept = ({ text }) => text.includes(fields.title) && text.includes(fields.body)
  await post(context, 'form without scripts', token, fields, { body, kept })
}

function newFields() {
  const title = `Posted ${randomUUID()}`
  return { title, body: `Text ${randomUUID()}` }
}

async function post({ journal, url }, client, token, fields, { body, headers, kept }) {
  const answer = await send(journal, client, url + path, {
    method: 'POST',
    body,
    headers: { ...headers, ...cookie(token) },
    judge: (received) => (createdIn(received) ? undefined : unexpected(received)),
  })
  const at = performance.now()
  if (answer.ok) journal.addWrite({ kind: 'article', client, at, key: fields.body })
  journal.addForm({ client, at, ...fields, kept: kept(answer), detail: unexpected(answer) })
}

function createdIn({ headers }) {
  const location = headers.get('x-action-redirect') ?? headers.get('location') ?? ''
  return /\/articles\/[\w-]{36}/.test(location)
}
