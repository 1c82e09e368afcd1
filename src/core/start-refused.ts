/** A reason not to start that its reader can do something about: shown as one line, without a stack. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}

export function isStartRefused(error: unknown): error is StartRefused {
  return error instanceof Error && error.name === 'StartRefused'
}
