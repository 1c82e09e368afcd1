import { splitList } from './split-list.mjs'

/** The tables of a schema.ts with the names of their columns, in lower case. */
export function schemaTables(text) {
  return [...text.matchAll(/\bpgTable\(\s*'([^']+)'/g)].map((match) => {
    const rest = text.slice(match.index + match[0].length)
    const object = /^,\s*(?:\(?[^()]*\)?\s*=>\s*\(\s*)?\{/.exec(rest)
    const items = object ? splitList(rest, object[0].length - 1) : []
    return {
      table: match[1].toLowerCase(),
      columns: items.flatMap((item) => columnName(item, text)).map((name) => name.toLowerCase()),
    }
  })
}

/** A column without a name has that of its key. A function of the file may name it itself. */
function columnName(item, text) {
  const [, key, type, name] = /^['"]?([\w$]+)['"]?:\s*([\w.]+)\(\s*(?:'([^']+)')?/.exec(item) ?? []
  if (name !== undefined) return [name]
  return type !== undefined && isColumnType(type, text) ? [key] : []
}

function isColumnType(type, text) {
  const imported = /^import \{([^}]*)\} from 'drizzle-orm\/pg-core'/m.exec(text)?.[1] ?? ''
  return imported.split(',').some((name) => name.trim() === type)
}
