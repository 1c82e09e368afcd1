import { baseOf } from '../app/base.mjs'
import { differences } from '../app/differences.mjs'
import { editsOfModule, readApp } from '../app/edits.mjs'
import { openApp } from '../app/record.mjs'
import { recoverIfNeeded } from '../change/recover.mjs'
import { Stop } from '../stop.mjs'
import { withTemporaryFolder } from '../temporary.mjs'

/** Against what the template wrote here: its files, and all that is in its modules' folders. */
export async function run({ flags, names, output }) {
  const app = await openApp()
  await recoverIfNeeded(app.folder)
  const [name] = names
  if (name !== undefined && !app.record.modules.includes(name)) {
    throw new Stop(`${name} is not an installed module of the template's.`)
  }
  return withTemporaryFolder(async (temporary) => {
    const { tree } = await baseOf(app, temporary, flags)
    const modules = await Promise.all(
      (name ? [name] : app.record.modules).map((id) => editsOfModule(app.folder, id, tree)),
    )
    const before = new Map(modules.flatMap(({ installed }) => [...installed]))
    const after = new Map(modules.flatMap(({ ours }) => [...ours]))
    if (!name) {
      for (const [path, content] of tree) before.set(path, content)
      for (const [path, content] of await readApp(app.folder, tree.keys())) after.set(path, content)
    }
    const patch = await differences(before, after, {
      colour: !output.json && Boolean(process.stdout.isTTY),
    })
    const changed = changedOf(before, after)
    output.say(patch.length > 0 ? patch.toString().trimEnd() : 'Nothing differs from the template.')
    return { version: app.record.version, changed, patch: patch.toString() }
  })
}

function changedOf(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => !equal(before.get(path), after.get(path))).sort()
}

function equal(one, other) {
  return one !== undefined && other !== undefined && one.equals(other)
}
