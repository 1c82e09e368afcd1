/**
 * One instance in the process, however many bundles hold this code: the host and Next are built
 * apart and run together, and a second PGlite on one folder would corrupt it.
 */
export function singleton<Value>(name: string, make: () => Value): Value {
  const key = Symbol.for(`plinth.${name}`)
  const store = globalThis as { [key]?: { value: Value } }
  store[key] ??= { value: make() }
  return store[key].value
}
