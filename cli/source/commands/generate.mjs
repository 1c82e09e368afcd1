import { installedModules } from '../app/installed.mjs'
import { deleteOriginals, keepOriginals } from '../app/originals.mjs'
import { openAppOrTemplate } from '../app/record.mjs'
import { sharedFiles } from '../app/shared-files.mjs'
import { CommandError } from '../command-error.mjs'
import { didYouMean } from '../did-you-mean.mjs'
import { compareFiles } from '../generate/compare-files.mjs'
import { withDigests } from '../generate/digests.mjs'
import { format } from '../generate/format.mjs'
import { kinds } from '../generate/kinds/kinds.mjs'
import { digest } from '../module/digest.mjs'
import { applyChanges } from '../transaction/apply-changes.mjs'
import { recoverIfNeeded } from '../transaction/recover.mjs'

export async function run({ flags, names, output }) {
  const { kind, args } = requireKind(names, flags)
  const app = await openAppOrTemplate()
  await recoverIfNeeded(app.folder)
  const { plan } = await kind.load()
  const planned = await plan(app, args, flags)
  const files = await compareFiles(app.folder, planned, (tree) => format(app.folder, tree))
  const { shared, originals } = await sharedFilesFor(app, planned.module, files)
  const changes = new Map([...files.created, ...files.edited, ...shared, ...originals])
  const isDryRun = flags['dry-run'] === true
  if (!isDryRun && changes.size > 0) await applyChanges(app.folder, changes)
  return report(output, planned, isDryRun, {
    written: [...files.created.keys()],
    changed: [...files.edited.keys(), ...shared.keys()],
    unchanged: files.unchanged,
  })
}

function requireKind([name, ...args], flags) {
  const known = Object.keys(kinds).join(', ')
  if (name === undefined)
    throw new CommandError(`Nothing to generate given. Choose one of: ${known}.`)
  if (!Object.hasOwn(kinds, name)) {
    throw new CommandError(
      `Cannot generate ${name}.${didYouMean(name, Object.keys(kinds))} Choose one of: ${known}.`,
    )
  }
  const kind = kinds[name]
  const accepted = [...(kind.flags ?? []), 'dry-run', 'base', 'json', 'help']
  const other = Object.keys(flags).find((flag) => !accepted.includes(flag))
  if (other !== undefined) {
    throw new CommandError(
      `--${other} is not a flag of generate ${name}. Run npx plinth generate ${name} --help.`,
    )
  }
  const [first] = Object.keys(kind.arguments)
  if (args.length === 0) {
    throw new CommandError(`No ${first} given. For example: ${kind.example}`)
  }
  const max = 'field:type' in kind.arguments ? Infinity : Object.keys(kind.arguments).length
  if (args.length > max) {
    throw new CommandError(`Unexpected argument: ${args[max]}. For example: ${kind.example}`)
  }
  return { kind, args }
}

/** The list of modules, the record of what was generated, and the originals for `diff`. */
async function sharedFilesFor(app, module, files) {
  const written = [...files.created, ...files.edited]
  if (module === undefined || written.length === 0) {
    return { shared: new Map(), originals: new Map() }
  }
  const present = await installedModules(app.folder)
  const record = withDigests(app.record, module, files)
  const recorded = record.added[module.id]?.files ?? {}
  const shared = await sharedFiles(
    { ...app, record },
    {
      modules: module.isNew ? [...present, module] : present,
      edit: (manifest) => manifest,
      settings: (text) => text,
    },
  )
  const originals = written.filter(([path, content]) => recorded[path] === digest(content))
  const superseded = deleteOriginals(app.record, record)
  return { shared, originals: new Map([...superseded, ...keepOriginals(originals)]) }
}

function report(output, { notes = [], next }, dryRun, { written, changed, unchanged }) {
  const isUnchanged = written.length + changed.length === 0
  for (const path of written) output.print(`${dryRun ? 'Would write' : 'Wrote'} ${path}`)
  for (const path of changed) output.print(`${dryRun ? 'Would change' : 'Changed'} ${path}`)
  for (const path of unchanged) output.print(`Unchanged ${path}`)
  for (const line of notes) output.print(line)
  if (dryRun) output.print('\nNothing was written.')
  else if (!isUnchanged) output.print(`\n${next}`)
  return { dryRun, written, changed, unchanged, notes }
}
