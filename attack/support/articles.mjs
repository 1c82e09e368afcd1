import { sendAction } from './actions.mjs'

/** Returns the id. */
export async function createArticle(target, caller, fields) {
  const action = target.requireActions().get('createArticle')
  const response = await sendAction(target.url, action, fields, { caller })
  const location = response.headers.get('x-action-redirect') ?? ''
  const [, id] = /^\/articles\/([\w-]{36})/.exec(location) ?? []
  if (!id) throw new Error(`No article was created: ${(await response.text()).slice(0, 300)}`)
  return id
}

export async function publishArticle(target, caller, id) {
  await sendAction(target.url, target.requireActions().get('publishArticle'), { id }, { caller })
}
