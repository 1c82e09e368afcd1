export type Level = 'error' | 'warning' | 'ok'

/** Never contains the value of a setting, which may be secret. */
export type Finding = {
  level: Level
  check: string
  message: string
  /** For errors and warnings. */
  remedy?: string
}

export function reporter(check: string) {
  return {
    error: (message: string, remedy: string): Finding => ({
      level: 'error',
      check,
      message,
      remedy,
    }),
    warning: (message: string, remedy: string): Finding => ({
      level: 'warning',
      check,
      message,
      remedy,
    }),
    ok: (message: string): Finding => ({ level: 'ok', check, message }),
  }
}
