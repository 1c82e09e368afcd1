import { mkdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { render } from '../template/render.mjs'
import { writeTree } from '../tree.mjs'

/**
 * One version of the CLI runs this command of another version to get its files. The flags and the
 * fields of the record must stay compatible as long as there are apps to upgrade.
 */
export async function run({ flags }) {
  if (!flags.record || !flags.into) throw new CommandError('render requires --record and --into.')
  const record = JSON.parse(await readFile(flags.record, 'utf8'))
  await mkdir(flags.into, { recursive: true })
  const tree = await render(record)
  await writeTree(resolve(flags.into), tree)
  return { files: tree.size }
}
