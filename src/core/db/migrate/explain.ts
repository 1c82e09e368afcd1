import 'server-only'
import { StartupError } from '@/core/config/env'
import type { Migration } from '@/core/db/migrate/migration-files'
import { explainMigrationError } from '@/core/db/startup-errors'

type Failing = {
  name: string
  /** None was applied before. */
  isFirst: boolean
  /** A sentence about the state of the database. */
  outcome: string
}

/** Names the migration in its errors, with a remedy. */
export async function explained<Result>(
  { name, isFirst, outcome }: Failing,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const explanation = explainMigrationError(error, isFirst)
    if (!explanation) throw error
    const { problem, remedy } = explanation
    throw new StartupError(`Migration ${name} failed: ${problem} ${remedy} ${outcome}`, {
      cause: error,
    })
  }
}

export function outcomeOf({ transaction }: Migration): string {
  const kept = transaction === 'batch' ? 'Earlier batches are kept.' : 'Nothing of it was changed.'
  return `${kept} The next run continues with it.`
}
