import { CommandError } from '../../command-error.mjs'
import { refusePageConflicts, requireModule, unusedPageName } from '../installed-parts.mjs'
import { capitalize } from '../names.mjs'
import { pageSource, publicPageSource } from '../parts/page.mjs'

export async function plan(app, [id, path], flags) {
  const folder = await requireModule(app, id)
  if (path === undefined) {
    throw new CommandError('No path given. For example: /bookmarks/archive')
  }
  const declared = pageModel(path, flags)
  const file = `${folder}${path === '/' ? '' : path}/page.tsx`
  await refusePageConflicts(app, [file])
  const model = { ...declared, name: await unusedPageName(app, declared.name, file) }
  return {
    files: { [file]: flags.public ? publicPageSource(model) : pageSource(model) },
    module: { id },
    next: `Next: run npm run dev and open ${path}`,
  }
}

function pageModel(path, { public: isPublic, admin }) {
  if (isPublic && admin) throw new CommandError('Give either --public or --admin, not both.')
  const segments = path.slice(1).split('/').filter(Boolean)
  const isValid = segments.every((segment) =>
    /^([a-z0-9]+([-_.][a-z0-9]+)*|\[[a-z][A-Za-z0-9]*\])$/.test(segment),
  )
  if (path !== `/${segments.join('/')}` || !isValid) {
    throw new CommandError(
      `Invalid path: ${path}. Start with / and use lowercase letters, digits, hyphens and [names], such as /bookmarks/[id]/history.`,
    )
  }
  if (segments[0] === 'api') {
    throw new CommandError('/api is the HTTP API. Use plinth generate route instead.')
  }
  const parameters = segments.filter(isDynamic).map((segment) => segment.slice(1, -1))
  if (isPublic && parameters.length > 0) {
    throw new CommandError('A public page is prerendered, so its path cannot contain parameters.')
  }
  if (new Set(parameters).size < parameters.length) {
    throw new CommandError(`Invalid path: ${path}. Each parameter needs another name.`)
  }
  const words = segments.map((segment) => segment.replaceAll(/[[\]]/g, ''))
  const last = segments.findLast((segment) => !isDynamic(segment)) ?? 'home'
  return {
    path,
    parameters,
    current: isDynamic(segments[0] ?? '') ? undefined : `/${segments[0] ?? ''}`,
    name: ['view', ...(words.length > 0 ? words : ['home'])].join('_').replaceAll(/[-.]/g, '_'),
    title: capitalize(last.replaceAll(/[-_.]/g, ' ')),
    policy: admin ? 'isAdmin' : 'isSignedIn',
  }
}

function isDynamic(segment) {
  return segment.startsWith('[')
}
