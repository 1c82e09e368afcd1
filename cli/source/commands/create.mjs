import { readdir } from 'node:fs/promises'
import { basename, relative, resolve } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { choicesFrom, promptsFor } from '../create/choices.mjs'
import { writeApp } from '../create/write-app.mjs'
import { canceled } from '../interrupt.mjs'
import { hasUncommittedChanges, ownOrigin } from '../origin/origin.mjs'
import { ownVersion } from '../origin/own-version.mjs'
import { isPushed } from '../origin/remote-url.mjs'
import { requireFolderName } from '../template/choices.mjs'
import { packageName } from '../template/name.mjs'
import { withPrompts } from '../terminal/prompts.mjs'

export async function run({ flags, names, output }) {
  const [path] = names
  if (path === undefined) throw new CommandError('No folder given. Usage: create-plinth my-app')
  if (names.length > 1) throw new CommandError(`Too many folders: ${names.join(', ')}. Pass one.`)
  const folder = resolve(callerFolder(), path)
  requireFolderName(basename(folder))
  await requireEmptyFolder(folder)
  const choices = await choicesFrom(flags, folder, output)
  const origin = await ownOrigin()
  await printPlan(output, { folder, choices, origin, useGit: !flags['no-git'] })
  if (flags['dry-run']) {
    output.print('\nNothing was created.')
    return { folder, version: ownVersion, ...choices, dryRun: true }
  }
  if (promptsFor(flags, output)) await confirm()
  const { version, files, git } = await output.withProgress('Writing the app', () =>
    writeApp(folder, choices, origin, { useGit: !flags['no-git'] }),
  )
  report(output, { folder, name: choices.name, files, git })
  return { folder, version, ...choices, files, git }
}

/** `npm run create` changes to the repository; INIT_CWD is the folder of the caller. */
function callerFolder() {
  const { npm_lifecycle_event: script, INIT_CWD: caller } = process.env
  return script === 'create' && caller ? caller : process.cwd()
}

async function requireEmptyFolder(folder) {
  const found = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR')
      throw new CommandError(`${folder} is a file. Choose another path.`)
    throw error
  })
  if (found.length > 0) {
    throw new CommandError(
      `${folder} is not empty (${found.slice(0, 3).join(', ')}…). Nothing was created.`,
    )
  }
}

async function printPlan(output, { folder, choices, origin, useGit }) {
  const list = (ids) => ids.join(', ') || 'none'
  output.print('\nThis creates an app:')
  output.print(`  folder     ${folder}`)
  output.print(`  name       ${choices.name} (package ${packageName(choices.name)})`)
  output.print(`  modules    ${list(choices.modules)}`)
  output.print(`  providers  ${list(choices.providers)}`)
  output.print(`  git        ${useGit ? 'a repository with one commit' : 'none'}`)
  output.print(`  template   ${templateText(origin)}`)
  for (const note of await notesAbout(origin)) output.print(`\n${note}`)
}

function templateText({ url, commit, package: name }) {
  const source = url ?? (name && 'the npm registry')
  const at = commit ? `, commit ${commit.slice(0, 10)}` : ''
  return `Plinth ${ownVersion}${at}${source ? ` of ${source}` : ''}`
}

async function notesAbout({ repository, url, commit, package: name }) {
  const notes = []
  if (repository && (await hasUncommittedChanges(repository))) {
    notes.push('The template has uncommitted changes. They are not in the app.')
  }
  if (url && !(await isPushed(repository, commit))) {
    notes.push(
      `The commit is not on a branch of ${url}. Push it, so that others can run npx plinth in their clones of the app.`,
    )
  }
  if (!url && !name) {
    notes.push(
      'The template has no URL that others can use, so plinth.json records its version without a source.\nnpx plinth works on this machine; in other clones pass a copy of the template: npx plinth list --base ../plinth',
    )
  }
  return notes
}

async function confirm() {
  const isConfirmed = await withPrompts(({ promptYes }) => promptYes('\nCreate it?'))
  if (!isConfirmed) throw canceled('Canceled. Nothing was created.')
}

function report(output, { folder, name, files, git }) {
  output.print(`\nCreated ${name} in ${folder} (${files} files).`)
  if (git === 'staged')
    output.print('Files are staged, not committed: set user.name and user.email in git.')
  if (git === 'inside')
    output.print('The folder is inside a git repository; nothing was committed.')
  output.print(`\nNext:\n  cd ${relative(callerFolder(), folder) || '.'}`)
  output.print('  npm start          install, build and serve at http://localhost:3000')
  output.print('  npm test           run all checks and tests')
  output.print('  npx plinth list    list the modules')
}
