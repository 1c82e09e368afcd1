import { actionInputs, actionRoles } from '../payloads/action-inputs.mjs'
import { encodings, outcomeOf, sendAction, workingEncodings } from '../support/actions.mjs'
import { createArticle } from '../support/articles.mjs'
import { createCallers, ranks } from '../support/callers.mjs'
import { snapshot } from '../support/snapshot.mjs'
import { control, Skip, tryAll, verdict } from '../verdict.mjs'
import { attackPages } from './authorization-pages.mjs'
import { attackRoutes } from './authorization-routes.mjs'

export const authorization = [
  {
    name: 'pages',
    bypass: 'A caller sees data that its role does not allow.',
    run: attackPages,
  },
  {
    name: 'API routes',
    bypass: 'A caller gets data that its role does not allow.',
    run: attackRoutes,
  },
  {
    name: 'server actions',
    bypass: 'A caller changes data that its role does not allow.',
    run: attackActions,
  },
  {
    name: 'actions that this suite does not know',
    bypass: 'An action is not attacked.',
    run: findUnknownActions,
  },
]

/** Each action that a caller may not run, in each encoding, on its own page and on another one. */
async function attackActions(target) {
  const actions = target.requireActions()
  const admin = await target.signIn('admin')
  const victim = await target.signIn('editor')
  const article = await createArticle(target, victim, { title: 'Not theirs', body: 'Not theirs' })
  await requireWorkingEncodings(target, victim)
  const before = await snapshot(target, { admin, victim, article })
  const evidence = []
  let cases = 0
  for (const caller of await createCallers(target)) {
    const inputs = actionInputs({ victim, article, caller })
    const forbidden = [...actions.keys()].filter(
      (name) => ranks[actionRoles[name] ?? 'anonymous'] > ranks[caller.role],
    )
    const calls = forbidden.flatMap((name) =>
      Object.keys(encodings).flatMap((encoding) =>
        [undefined, '/sign-in'].map((path) => ({ name, encoding, path })),
      ),
    )
    const sent = await tryAll(target.sample(calls, 16), async ({ name, encoding, path }) => {
      const options = { caller, encoding, ...(path && { path }) }
      const response = await sendAction(target.url, actions.get(name), inputs[name], options)
      const outcome = await outcomeOf(response)
      const description = `${caller.description}: ${name} by ${encoding}${path ? ` at ${path}` : ''}`
      if (Number(outcome) >= 500) return `${description}: ${outcome}`
      return outcome === 'done' ? `${description} succeeded` : undefined
    })
    cases += sent.cases
    evidence.push(...sent.evidence)
    const after = await snapshot(target, { admin, victim, article })
    if (after !== before) {
      evidence.push(`${caller.description} changed the data:\n${before}\n${after}`)
      break
    }
  }
  return verdict(cases, evidence)
}

/** Otherwise a refusal would say nothing about authorization. */
async function requireWorkingEncodings(target, editor) {
  const action = target.requireActions().get('createArticle')
  for (const encoding of workingEncodings) {
    const fields = { title: `By ${encoding}`, body: '' }
    const response = await sendAction(target.url, action, fields, { caller: editor, encoding })
    const location = response.headers.get('x-action-redirect') ?? response.headers.get('location')
    control(/^\/articles\/[\w-]{36}/.test(location), `an editor creates an article by ${encoding}`)
  }
}

async function findUnknownActions(target) {
  const names = [...target.requireActions().keys()]
  const unknown = names.filter((name) => !(name in actionRoles))
  if (unknown.length === 0) return verdict(names.length, [])
  throw new Skip(`${unknown.join(', ')}: add to attack/payloads/action-inputs.mjs`)
}
