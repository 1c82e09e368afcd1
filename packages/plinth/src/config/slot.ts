import { StartupError } from '#config/env'

/** A text or markup of the app that the engine uses, such as the message of a mail. It has none itself. */
export function slot<Value>(name: string) {
  const filled: { value?: Value } = {}
  const missing = () =>
    new StartupError(`The app has not filled the slot "${name}" (src/slots.ts).`)
  return {
    /** Pages call it at build time, so an app that leaves one out is not built. */
    fill(value: Value | undefined): void {
      if (value === undefined) throw missing()
      filled.value = value
    },
    get(): Value {
      if (filled.value === undefined) throw missing()
      return filled.value
    },
  }
}
