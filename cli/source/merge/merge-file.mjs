import { serialize } from '../package/manifest.mjs'
import { mergeJson } from './merge-json.mjs'
import { isBinary, mergeText } from './merge-text.mjs'

/**
 * Merges one file: `base` is the template's original, `ours` the current file of the app, `theirs`
 * the file of the new version. Undefined means that the file does not exist.
 *
 * @returns {Promise<{ outcome: 'same' | 'updated' | 'added' | 'deleted' | 'merged' | 'kept' | 'conflict',
 *   content?: Buffer | null, why?: string }>}
 */
export async function mergeFile(path, { ours, base, theirs }, labels) {
  if (isSame(ours, theirs) || isSame(base, theirs)) return { outcome: 'same' }
  if (isSame(ours, base)) {
    if (!theirs) return { outcome: 'deleted', content: null }
    return { outcome: base ? 'updated' : 'added', content: theirs }
  }
  if (!theirs) return { outcome: 'kept', why: 'deleted in the template, edited here' }
  if (!ours) return { outcome: 'kept', why: 'changed in the template, deleted here' }
  if ([ours, theirs].some(isBinary))
    return { outcome: 'kept', why: 'binary, changed on both sides' }
  return mergeBoth(path, { ours, base, theirs }, labels)
}

async function mergeBoth(path, versions, labels) {
  if (path === 'package.json') {
    const merged = mergedJson(versions)
    if (merged) return { outcome: 'merged', content: Buffer.from(merged) }
  }
  const { content, conflicts } = await mergeText(versions, labels)
  return { outcome: conflicts > 0 ? 'conflict' : 'merged', content }
}

function mergedJson({ ours, base, theirs }) {
  try {
    const parse = (content) => (content ? JSON.parse(content.toString()) : undefined)
    const merged = mergeJson({ ours: parse(ours), base: parse(base), theirs: parse(theirs) })
    return merged && serialize(merged.value, ours.toString())
  } catch {
    // Invalid JSON is merged as text.
    return undefined
  }
}

function isSame(one, other) {
  return one === other || (one !== undefined && other !== undefined && one.equals(other))
}
