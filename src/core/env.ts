import { brokenRules, derive, type SettingProblem, settings } from '@/core/settings'
import { singleton } from '@/core/singleton'
import { StartRefused } from '@/core/start-refused'

export type Env = ReturnType<typeof derive>

export class InvalidSettings extends StartRefused {}

/** The settings of the process, read once, at start. */
export function env(): Env {
  return singleton('env', () => parseEnv(process.env))
}

export function parseEnv(source: Source): Env {
  const result = settings.safeParse(withoutEmpty(source))
  if (!result.success) throw refusal(result.error.issues.map(toProblem))
  const problems = brokenRules(result.data)
  if (problems.length > 0) throw refusal(problems)
  return derive(result.data)
}

/** As much of them as can be read, for whoever wants to know what is wrong and not only that. */
export function examineEnv(source: Source): { settings: Env; problems: SettingProblem[] } {
  const given = withoutEmpty(source)
  const wrong = (settings.safeParse(given).error?.issues ?? []).map(toProblem)
  for (const { name } of wrong) delete given[name]
  const readable = settings.parse(given)
  const broken = brokenRules(readable).filter(
    // What it misses is there, and was complained of already.
    ({ name }) => !wrong.some((problem) => problem.name === name),
  )
  return { settings: derive(readable), problems: [...wrong, ...broken] }
}

type Source = Readonly<Record<string, string | undefined>>

/** An empty value in a .env file means "not set". */
function withoutEmpty(source: Source): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
}

function toProblem({ path, message }: { path: PropertyKey[]; message: string }): SettingProblem {
  return { name: path.join('.'), message }
}

function refusal(problems: readonly SettingProblem[]): InvalidSettings {
  const sentences = problems.map(({ name, message }) => `${name} ${message}`)
  return new InvalidSettings(`Settings: ${sentences.join('; ')}.`)
}
