import { existsSync } from 'node:fs'

type Command = (args: string[]) => Promise<void>

/** Each loads what it needs when it is run. */
const commands: Record<string, () => Promise<Command>> = {
  'admin-create': async () => (await import('#commands/admin-create')).adminCreateCommand,
  backup: async () => (await import('#commands/backup')).backupCommand,
  doctor: async () => (await import('#commands/doctor')).doctorCommand,
  limits: async () => (await import('#commands/limits')).limitsCommand,
  migrate: async () => (await import('#commands/migrate')).migrateCommand,
  recovery: async () => (await import('#commands/recovery')).recoveryCommand,
  restore: async () => (await import('#commands/restore')).restoreCommand,
  start: async () => (await import('#server/serve')).serve,
}

/** The commands of development, such as `build` and `check`. An image has none. */
const scripts = new URL('../../scripts/run.mjs', import.meta.url)

/** The commands of this package: `node node_modules/plinth start`. The folder of the app is the current one. */
export async function runNamed([name = '', ...args]: readonly string[]): Promise<void> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load) return (await load())(args)
  // It reads the arguments of the process.
  if (existsSync(scripts)) return import(scripts.href)
  const problem = name ? `Unknown command: ${name}` : 'No command given'
  process.stderr.write(`${problem}. Commands: ${Object.keys(commands).join(', ')}.\n`)
  process.exitCode = 2
}
