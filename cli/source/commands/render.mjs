import { mkdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Stop } from '../stop.mjs'
import { render } from '../template/render.mjs'
import { writeTree } from '../tree.mjs'

/**
 * How one version asks another what it would have written. Its flags, and the fields of the record,
 * stay as they are for as long as there are apps to upgrade.
 */
export async function run({ flags }) {
  if (!flags.record || !flags.into) throw new Stop('render needs --record and --into.')
  const record = JSON.parse(await readFile(flags.record, 'utf8'))
  await mkdir(flags.into, { recursive: true })
  const tree = await render(record)
  await writeTree(resolve(flags.into), tree)
  return { files: tree.size }
}
