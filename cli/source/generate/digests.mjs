import { digest, digests } from '../module/digest.mjs'

/**
 * Records the written files of a module, so that `remove` tells them from the user's edits. Modules
 * of the template are compared with the template instead.
 */
export function withDigests(record, { id, isNew, version }, { created, edited, before }) {
  const recorded = isNew ? { version, from: 'generate', files: {} } : record.added[id]
  if (!recorded) return record
  const unedited = [...edited].filter(([path]) => recorded.files[path] === digest(before.get(path)))
  const files = { ...recorded.files, ...digests([...created, ...unedited]) }
  return { ...record, added: { ...record.added, [id]: { ...recorded, files } } }
}
