import { openApp } from '../app/record.mjs'
import { hasJournal } from '../change/journal.mjs'
import { recoverIfNeeded } from '../change/recover.mjs'

export async function run({ output }) {
  const { folder } = await openApp()
  const needed = hasJournal(folder)
  await recoverIfNeeded(folder)
  output.say(needed ? 'Everything is as it was before.' : 'Nothing was left half done.')
  return { recovered: needed }
}
