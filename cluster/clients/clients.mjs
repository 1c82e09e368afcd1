import { setTimeout as pause } from 'node:timers/promises'
import { postWithoutScripts, postWithScripts } from './articles.mjs'
import { openBrowser } from './browser.mjs'
import { readPage, readStaticFile } from './reads.mjs'
import { revokeSession } from './revocations.mjs'
import { checkSession } from './sessions.mjs'
import { signIn } from './sign-ins.mjs'

/** Starts every client. Each sends its next request when it has the response to the last one. */
export async function startClients(context) {
  const { users } = context
  const [first, second, third, fourth, ...revoked] = users.filter(({ tokens }) => tokens.length > 0)
  const signingIn = users.filter(({ tokens }) => tokens.length === 0)
  let running = true
  const repeat = async (intervalMs, work) => {
    for (let count = 0; running; count += 1) {
      await work(count)
      await pause(intervalMs)
    }
  }
  const browser = await openBrowser(context, [third, fourth])
  const loops = [
    repeat(30, (count) => checkSession(context, first, first.tokens[0], count)),
    repeat(60, (count) => checkSession(context, second, second.tokens[0], count)),
    repeat(800, (count) => signIn(context, signingIn[count % signingIn.length], count)),
    repeat(300, (count) => revokeNext(context, revoked, count)),
    repeat(600, (count) => postWithScripts(context, first.tokens[1], count)),
    repeat(600, () => postWithoutScripts(context, second.tokens[1])),
    repeat(500, () => readPage(context, first, first.tokens[2])),
    repeat(100, (count) => readStaticFile(context, count)),
    ...(browser ? browser.visitors.map((visit) => repeat(200, visit)) : []),
  ]
  return {
    hasBrowser: browser !== undefined,
    async stop() {
      running = false
      await Promise.all(loops)
      await browser?.close()
    },
  }
}

/** Every session once. A run that uses them all up has revoked enough. */
async function revokeNext(context, users, count) {
  const user = users[count % users.length]
  const token = user.tokens[Math.floor(count / users.length)]
  if (token !== undefined) await revokeSession(context, user, token)
}
