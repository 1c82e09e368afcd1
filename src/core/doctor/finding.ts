export type Level = 'error' | 'warning' | 'fine'

/** What a check has to say. Never with the value of a setting that may be secret. */
export type Finding = {
  level: Level
  /** The check that found it, as people read it. */
  check: string
  what: string
  /** What to do about it; nothing where all is well. */
  remedy?: string
}

/** The findings of one check, named once. */
export function reporter(check: string) {
  return {
    error: (what: string, remedy: string): Finding => ({ level: 'error', check, what, remedy }),
    warning: (what: string, remedy: string): Finding => ({ level: 'warning', check, what, remedy }),
    fine: (what: string): Finding => ({ level: 'fine', check, what }),
  }
}
