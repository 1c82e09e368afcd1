import { CommandError } from '../../command-error.mjs'
import { codeFiles, readText, refuseUsedName, requireModule } from '../installed-parts.mjs'
import { manifestEdit } from '../manifest-edit.mjs'
import { partNames } from '../part-names.mjs'
import { routeSource } from '../parts/route.mjs'

const methods = ['get', 'post', 'put', 'patch', 'delete']

export async function plan(app, [id, method, path]) {
  const folder = await requireModule(app, id)
  const model = routeModel(method?.toLowerCase(), path)
  const { kebab, camel } = model
  const file = `${folder}/${kebab}-route.ts`
  await refuseSameRoute(app, model, file)
  await refuseUsedName(app, folder, camel, file)
  const { edited, notes } = await manifestEdit(app, folder, {
    key: 'api',
    name: camel,
    from: `./${kebab}-route`,
    // The first route that matches responds: /bookmarks/count must come before /bookmarks/:id.
    isFirst: model.parameters.length === 0,
  })
  return {
    files: { [file]: routeSource(model) },
    edited,
    module: { id },
    notes,
    next: `Next: change what ${camel} returns, and open /api/docs`,
  }
}

function routeModel(method, path) {
  if (!methods.includes(method)) {
    const given = method === undefined ? 'No method given' : `Unknown method: ${method}`
    throw new CommandError(`${given}. The methods are ${methods.join(', ')}.`)
  }
  if (path === undefined) throw new CommandError('No path given. For example: /bookmarks/count')
  const isValid = /^(\/([a-z0-9]+([-_.][a-z0-9]+)*|:[a-z][A-Za-z0-9]*))+$/.test(path)
  if (!isValid || /^\/api(\/|$)/.test(path)) {
    throw new CommandError(
      `Invalid path: ${path}. Write it without /api, in lowercase letters, digits, hyphens and :names, such as /bookmarks/:id/copy.`,
    )
  }
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const words = path.slice(1).replaceAll(':', '').toLowerCase().replaceAll(/[/.]/g, '-')
  return { method, path, parameters, ...partNames(`${method}-${words}`, 'get-count') }
}

async function refuseSameRoute(app, { method, path }, own) {
  const escaped = path.replaceAll(/[.]/g, '\\.')
  const declared = new RegExp(`method: '${method}',\\s*path: '${escaped}'`)
  for (const file of (await codeFiles(app)).filter((path) => path.endsWith('.ts'))) {
    if (file === own || !declared.test(await readText(app, file))) continue
    throw new CommandError(`${method.toUpperCase()} /api${path} is declared already: ${file}.`)
  }
}
