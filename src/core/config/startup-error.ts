/** A reason not to start that the operator can fix. It is printed as one line, without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}

export function isStartupError(error: unknown): error is StartupError {
  return error instanceof Error && error.name === 'StartupError'
}
