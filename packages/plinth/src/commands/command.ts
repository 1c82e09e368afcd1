import { StartupError } from '#config/env'
import { loadEnvFiles } from '#config/env-files'
import { closeConnection } from '#db/client'
import { flushLog, log } from '#log/log'
import { explainStartupError } from '#server/console'

/** A wrong argument, which has an exit code of its own. */
export class UsageError extends StartupError {}

/** Prints an expected error as one line, and logs any other under `failure`. */
export async function runCommand(failure: string, work: () => Promise<void>): Promise<void> {
  loadEnvFiles()
  try {
    await work()
  } catch (error) {
    const message = explainStartupError(error)
    if (message === undefined) log().fatal({ err: error }, failure)
    else process.stderr.write(`${message}\n`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
  await closeConnection()
  flushLog()
  // A statement that was never answered would keep the process alive.
  if (process.exitCode) process.exit()
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
