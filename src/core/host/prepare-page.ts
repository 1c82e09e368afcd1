import type { IncomingMessage } from 'node:http'
import { isUnreachable } from '@/core/db/errors'
import { type Fields, findPage } from '@/core/guard/known-pages'
import { visitorOf } from '@/core/host/visitor'
import type { Visit } from '@/core/http/page-visit'

/**
 * Fetches what a page shows before Next begins with it. Whatever goes wrong is the page's to say, in
 * its place, except that the database is away: that is thrown.
 */
export async function preparePage(
  request: IncomingMessage,
  visit: Visit,
  requestId: string,
): Promise<void> {
  const { url = '/', method, headers } = request
  // What posts changes something first; what Next fetches for itself may be less than a page.
  if ((method !== 'GET' && method !== 'HEAD') || headers.rsc !== undefined) return
  const [path = '/', search] = splitOnce(url, '?')
  const page = findPage(path)
  if (!page) return
  visit.scope = await visitorOf(request, requestId)
  visit.userId = visit.scope.session?.user.id
  const asked = { params: page.params, query: fieldsOf(search) }
  const given = page.prepare(visit.scope, asked)
  visit.prepared = { by: page.prepare, asked, given }
  await given.catch((error) => {
    if (isUnreachable(error)) throw error
  })
}

/** As Next gives them to a page. */
function fieldsOf(search: string | undefined): Fields {
  const fields: Fields = {}
  if (!search) return fields
  for (const [name, value] of new URLSearchParams(search)) {
    const before = Object.hasOwn(fields, name) ? fields[name] : undefined
    fields[name] = before === undefined ? value : [before, value].flat()
  }
  return fields
}

function splitOnce(text: string, at: string): [string, string?] {
  const place = text.indexOf(at)
  return place === -1 ? [text] : [text.slice(0, place), text.slice(place + 1)]
}
