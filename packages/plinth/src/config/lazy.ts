export type Lazy<Arguments extends unknown[], Value> = {
  (...given: Arguments): Value
  /** For tests, as `clear`: the value to return from now on. */
  set(value: Value): void
  clear(): void
}

/** A value that is made when it is first asked for. */
export function lazy<Arguments extends unknown[], Value>(
  make: (...given: Arguments) => Value,
): Lazy<Arguments, Value> {
  let made: { value: Value } | undefined
  const get = (...given: Arguments) => {
    made ??= { value: make(...given) }
    return made.value
  }
  return Object.assign(get, {
    set(value: Value) {
      made = { value }
    },
    clear() {
      made = undefined
    },
  })
}
