import { sha256 } from '../builds/static-files.mjs'
import { cookie, send, unexpected } from './send.mjs'

/** A page that only this user gets, complete. */
export function readPage({ journal, url }, user, token) {
  return send(journal, 'page', `${url}/account`, {
    headers: cookie(token),
    judge: (answer) => {
      const { status, text } = answer
      const complete = text.includes(user.email) && text.trimEnd().endsWith('</html>')
      return status === 200 && complete ? undefined : unexpected(answer)
    },
  })
}

/** A script, style or font of either build, from an instance that may run the other one. */
export function readStaticFile({ journal, url, builds }, count) {
  const build = count % 2 === 0 ? builds.first : builds.second
  const file = build.staticFiles[(count >> 1) % build.staticFiles.length]
  return send(journal, 'static file', url + file.path, {
    judge: (answer) => {
      if (answer.status !== 200) return `of the ${build.name} build: ${unexpected(answer)}`
      return sha256(answer.bytes) === file.hash ? undefined : 'has other content'
    },
  })
}
