import { insertSorted } from '../package/manifest.mjs'

/**
 * Merges three versions of an object key by key, because a line merge reports a conflict for
 * adjacent dependencies. Returns undefined if both sides changed the same value.
 */
export function mergeJson({ ours, base, theirs }) {
  if (isSame(theirs, base)) return { value: ours }
  if (isSame(ours, base) || isSame(ours, theirs)) return { value: theirs }
  if (![ours, theirs].every(isObject)) return undefined
  const baseObject = isObject(base) ? base : {}
  let merged = {}
  for (const key of Object.keys(ours)) {
    const result = mergeJson({ ours: ours[key], base: baseObject[key], theirs: theirs[key] })
    if (result === undefined) return undefined
    if (result.value !== undefined) merged[key] = result.value
  }
  for (const key of Object.keys(theirs)) {
    if (key in ours || isSame(theirs[key], baseObject[key])) continue
    if (key in baseObject) return undefined
    merged = insertSorted(merged, key, theirs[key])
  }
  return { value: merged }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}
