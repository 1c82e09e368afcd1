import { parseFields, titleOf } from './fields.mjs'
import { namesFor } from './names.mjs'

/** All that the files of a generated module are written from. */
export function moduleModel(id, specs, { shared = false, singular } = {}) {
  const names = namesFor(id, singular)
  const fields = parseFields(specs)
  const title = titleOf(fields)
  const creator = shared ? 'author' : 'owner'
  return {
    ...names,
    fields,
    shared,
    title,
    creator,
    creatorId: `${creator}Id`,
    /** Reads of private rows take the scope of the caller. */
    scopeParameter: shared ? '' : 'scope: SignedInScope, ',
    scopeArgument: shared ? '' : 'scope, ',
    /** The policies that read, write and delete. */
    policies: shared
      ? { read: 'mayRead', write: 'mayWrite', delete: 'mayDelete' }
      : { read: 'mayUse', write: 'mayUse', delete: 'mayUse' },
    searchable: fields.filter(({ searchable }) => searchable),
    users: fields.filter(({ type }) => type === 'user'),
    sorts: ['newest', 'oldest', ...(title.type === 'string' ? [title.property] : [])],
  }
}

/** Sorted names for an import, without repetition. */
function importList(names) {
  return [...new Set(names)].sort((one, other) =>
    one.toLowerCase() < other.toLowerCase() ? -1 : 1,
  )
}

export function importLine(names, from) {
  const list = importList(names)
  return list.length > 0 ? `import { ${list.join(', ')} } from '${from}'\n` : ''
}
