import { StartupError } from '#config/env'

/** A text or markup of the app that core uses, such as the message of a mail. Core has none itself. */
export function slot<Value>(name: string) {
  const filled: { value?: Value } = {}
  return {
    fill(value: Value): void {
      filled.value = value
    },
    get(): Value {
      if (filled.value !== undefined) return filled.value
      throw new StartupError(`The app has not filled the slot "${name}" (src/slots.ts).`)
    },
  }
}
