import { openAppOrTemplate } from '../app/record.mjs'
import { hasJournal } from '../transaction/journal.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'

export async function run({ output }) {
  const { folder } = await openAppOrTemplate()
  const needed = hasJournal(folder)
  await recoverIfNeeded(folder)
  output.print(needed ? 'Rolled back the interrupted command.' : 'Nothing to roll back.')
  return { recovered: needed }
}
