import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moduleFolder } from '../template/modules.mjs'

/**
 * Files of the modules that stay and refer to one that is removed: by a foreign key to its table, or by
 * an import. The check refuses both, but a migration may be older than the check.
 *
 * @param {string} app the app's folder
 * @param {{ module: { id: string }, ours: Map<string, Buffer> }[]} removed
 * @param {{ id: string }[]} staying
 * @returns {Promise<{ id: string, path: string, refersTo: string }[]>}
 */
export async function findReferences(app, removed, staying) {
  const found = []
  for (const { id } of staying) {
    for (const path of await sourcesIn(app, moduleFolder(id))) {
      const text = await readFile(join(app, path), 'utf8')
      const target = removed.find((module) => refersTo(path, text, module))
      if (target) found.push({ id, path, refersTo: target.module.id })
    }
  }
  return found
}

function refersTo(path, text, { module, ours }) {
  if (!path.endsWith('.sql')) return text.includes(`/(${module.id})/`)
  const statements = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '')
  return tablesOf(ours).some((table) =>
    new RegExp(`\\breferences\\s+(public\\.)?"?${table}"?(?!\\w)`, 'i').test(statements),
  )
}

function tablesOf(files) {
  const migrations = [...files].filter(([path]) => /\/migrations\/[^/]+\.sql$/.test(path))
  return migrations.flatMap(([, content]) =>
    [...content.toString().matchAll(creation)].map(([, table]) => table),
  )
}

const creation = /^create (?:unlogged )?table (?:if not exists )?(?:public\.)?"?(\w+)/gim

async function sourcesIn(app, folder) {
  const names = await readdir(join(app, folder), { recursive: true })
  return names
    .filter((name) => /\.(tsx?|sql)$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort()
}
