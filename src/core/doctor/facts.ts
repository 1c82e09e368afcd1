import { type Env, examineEnv } from '@/core/env'
import { isLoopback } from '@/core/loopback'
import type { SettingProblem } from '@/core/settings'

/** What every check may go by. */
export type Facts = {
  settings: Env
  problems: readonly SettingProblem[]
  /** Whether AUTH_URL is set; without it there is one all the same. */
  hasAddress: boolean
  /** The address people use is not this machine's own name. */
  published: boolean
  /** Others can reach it: by that address, or because it listens to more than this machine. */
  exposed: boolean
  /** The installation to ask. */
  url: string
  /** The folder that it is installed in. */
  folder: string
}

type Source = Readonly<Record<string, string | undefined>>

export function gatherFacts(source: Source, url: string | undefined, folder: string): Facts {
  const { settings: readable, problems } = examineEnv(source)
  // One that cannot be read is a database all the same, and not the embedded one.
  const embedded = !source.DATABASE_URL
  const HOST = readable.embedded === embedded ? readable.HOST : (source.HOST ?? '0.0.0.0')
  const settings = { ...readable, embedded, HOST }
  const published = !isLoopback(new URL(settings.AUTH_URL).hostname)
  return {
    settings,
    problems,
    hasAddress: Boolean(source.AUTH_URL),
    published,
    exposed: published || !isLoopback(settings.HOST),
    url: url ?? settings.AUTH_URL,
    folder,
  }
}
