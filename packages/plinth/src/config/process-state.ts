const states = new Map<string, unknown>()

/**
 * State of an app that its process has once. Next loads the code of an app for pages, for route handlers and for
 * the start separately, so a variable of a file exists three times.
 */
export function processState<Value>(key: string, create: () => Value): Value {
  if (!states.has(key)) states.set(key, create())
  return states.get(key) as Value
}
