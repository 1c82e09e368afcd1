import { inserted } from '../package/manifest.mjs'

/**
 * Three versions of an object in one, key by key: lines that stand beside each other in a list of
 * dependencies have nothing to do with each other. Undefined when two changed the same value.
 */
export function mergeJson({ ours, base, theirs }) {
  if (isSame(theirs, base)) return { value: ours }
  if (isSame(ours, base) || isSame(ours, theirs)) return { value: theirs }
  if (![ours, theirs].every(isObject)) return undefined
  const known = isObject(base) ? base : {}
  let merged = {}
  for (const key of Object.keys(ours)) {
    const result = mergeJson({ ours: ours[key], base: known[key], theirs: theirs[key] })
    if (result === undefined) return undefined
    if (result.value !== undefined) merged[key] = result.value
  }
  for (const key of Object.keys(theirs)) {
    if (key in ours || isSame(theirs[key], known[key])) continue
    if (key in known) return undefined
    merged = inserted(merged, key, theirs[key])
  }
  return { value: merged }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}
