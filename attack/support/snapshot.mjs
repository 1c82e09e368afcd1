import { sessionOf } from './sessions.mjs'

/** The data that the attacks must not change, as an admin and the victim see it. */
export async function snapshot(target, { admin, victim, article }) {
  const [users, page, list, session] = await Promise.all([
    target.send('/api/demo/admin/users?limit=100', { caller: admin }),
    target.send(`/articles/${article}`, { caller: admin }),
    target.send('/articles', { caller: admin }),
    sessionOf(target.url, victim),
  ])
  return JSON.stringify({
    users: (await users.json()).users,
    article: [page.status, mainText(await page.text())],
    articles: mainText(await list.text()),
    session: session?.user,
  })
}

/** Without ids of the build and nonces, which differ in every response. */
function mainText(html) {
  const [, main = ''] = /<main[^>]*>([\s\S]*?)<\/main>/.exec(html) ?? []
  return main.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}
