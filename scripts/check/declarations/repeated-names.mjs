const declaration = /^export const (\w+)(?:: [^=\n]+)? =\s*(action|mutation|mail|job|route)[(<]/

/** What an action, a mail, a job or a route is known by outside of its file. */
const keys = { action: 'name', mutation: 'name', mail: 'purpose', job: 'name' }

/**
 * Two declarations of one name: in a module, the manifest cannot import both, and a page may import the
 * wrong one; in the app, the audit log, the undo button and the queues do not tell them apart.
 */
export function findRepeatedNames(sources) {
  const declared = [...sources].flatMap(([path, text]) => declarationsIn(path, text))
  return [
    ...repeated(declared, ({ path, exported }) => `${moduleOf(path)} ${exported}`).map(
      ([{ path, exported }, first]) =>
        `${path}: choose another name than ${exported}, which ${first.path} exports.`,
    ),
    ...repeated(
      declared.filter(({ name }) => name !== undefined),
      ({ queue, name }) => `${queue} ${name}`,
    ).map(
      ([{ path, name, exported }, first]) =>
        `${path}: choose another name than '${name}' for ${exported}, which is that of ${first.exported} in ${first.path}.`,
    ),
  ]
}

function declarationsIn(path, text) {
  return text.split(/^(?=export |const |function |async function )/m).flatMap((body) => {
    const [, exported, kind] = declaration.exec(body) ?? []
    if (exported === undefined) return []
    const name = new RegExp(`\\b${keys[kind]}: '([^']*)'`).exec(body)?.[1]
    // Actions and mutations share their names.
    return [{ path, exported, name, queue: kind === 'mutation' ? 'action' : kind }]
  })
}

/** Those that have the key of an earlier one, with that one. */
function repeated(declared, keyOf) {
  const first = new Map()
  return declared.flatMap((declaration) => {
    const key = keyOf(declaration)
    if (!first.has(key)) first.set(key, declaration)
    const other = first.get(key)
    return other === declaration ? [] : [[declaration, other]]
  })
}

/** The module's folder, or the file itself for core. */
function moduleOf(path) {
  return /^src\/app\/\([^)]+\)\//.exec(path)?.[0] ?? path
}
