import 'server-only'
import { currentScope } from 'plinth/auth/sessions/next-session'
import { findArticleOnce } from './data'
import { articleId } from './fields'
import { mayRead } from './policy'

/** For `<title>`. Undefined if the page responds with a redirect or an error instead. */
export async function articleTitle(params: Promise<{ id: string }>): Promise<string | undefined> {
  const scope = await currentScope()
  const { success, data: id } = articleId.safeParse((await params).id)
  if (!success || !mayRead(scope)) return undefined
  return (await findArticleOnce(scope, id))?.title
}
