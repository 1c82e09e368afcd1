import { serialise } from '../package/manifest.mjs'
import { mergeJson } from './merge-json.mjs'
import { isBinary, mergeText } from './merge-text.mjs'

/**
 * What becomes of one file, from what the template wrote (`base`), what it is now (`ours`), and what
 * the new version writes (`theirs`); undefined is no file.
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
  if (!theirs) return { outcome: 'kept', why: 'gone from the template, edited here' }
  if (!ours) return { outcome: 'kept', why: 'changed in the template, deleted here' }
  if ([ours, theirs].some(isBinary))
    return { outcome: 'kept', why: 'not text, changed on both sides' }
  return mergeBoth(path, { ours, base, theirs }, labels)
}

async function mergeBoth(path, versions, labels) {
  if (path === 'package.json') {
    const merged = mergedJson(versions)
    if (merged) return { outcome: 'merged', content: Buffer.from(merged) }
  }
  const { content, clashes } = await mergeText(versions, labels)
  return { outcome: clashes > 0 ? 'conflict' : 'merged', content }
}

function mergedJson({ ours, base, theirs }) {
  try {
    const parse = (content) => (content ? JSON.parse(content.toString()) : undefined)
    const merged = mergeJson({ ours: parse(ours), base: parse(base), theirs: parse(theirs) })
    return merged && serialise(merged.value, ours.toString())
  } catch {
    // Not JSON any more: then it is text.
    return undefined
  }
}

function isSame(one, other) {
  return one === other || (one !== undefined && other !== undefined && one.equals(other))
}
