/**
 * One instance per process, however many bundles contain this code: the server and Next are bundled
 * separately and run in one process, and a second PGlite on one folder would corrupt it.
 */
export function singleton<Value>(name: string, create: () => Value): Value {
  const key = Symbol.for(`plinth.${name}`)
  const store = globalThis as { [key]?: { value: Value } }
  store[key] ??= { value: create() }
  return store[key].value
}
