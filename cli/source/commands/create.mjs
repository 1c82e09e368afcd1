import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { initializeGit } from '../app/initialize-git.mjs'
import { recordFile, recordText } from '../app/record.mjs'
import { CommandError } from '../command-error.mjs'
import { hasUncommittedChanges, ownOrigin } from '../origin/origin.mjs'
import { ownVersion } from '../origin/own-version.mjs'
import { renderVersion } from '../origin/render-version.mjs'
import { requireAvailable, requireName } from '../template/choices.mjs'
import { modulesIn } from '../template/modules.mjs'
import { providersIn } from '../template/providers.mjs'
import { readTemplate } from '../template/read-template.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { canPrompt, parseChoices, withPrompts } from '../terminal/prompts.mjs'
import { writeTree } from '../tree.mjs'

export async function run({ flags, names, output }) {
  const [path] = names
  if (path === undefined) throw new CommandError('No folder given. Usage: create-plinth my-app')
  if (names.length > 1) throw new CommandError(`Too many folders: ${names.join(', ')}. Pass one.`)
  const folder = resolve(callerFolder(), path)
  await requireEmptyFolder(folder)
  const choices = await choicesFrom(flags, folder, output)
  const from = await ownOrigin()
  const { version, files } = await write(folder, choices, from, output)
  const git = flags['no-git'] ? 'none' : await initializeGit(folder)
  await report(output, { folder, choices, from, files, git })
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

async function choicesFrom(flags, folder, output) {
  const template = await readTemplate()
  const modules = modulesIn(template).map(({ id }) => id)
  const providers = providersIn(template)
  const defaultName = basename(folder)
  const prompts = !flags.yes && !output.json && canPrompt()
  const given = {
    name: flags.name,
    modules: flags.modules === undefined ? undefined : parseChoices(flags.modules, modules),
    providers: flags.providers === undefined ? undefined : parseChoices(flags.providers, providers),
  }
  if (!prompts && !flags.yes && Object.values(given).includes(undefined)) {
    throw new CommandError(
      'Cannot prompt without a terminal. Pass --yes, or --name, --modules and --providers.',
    )
  }
  const choices = prompts ? await promptFor(given, { defaultName, modules, providers }) : given
  return {
    name: requireName(choices.name ?? defaultName),
    modules: requireAvailable('module', choices.modules ?? modules, modules),
    providers: requireAvailable('provider', choices.providers ?? providers, providers),
  }
}

function promptFor(given, { defaultName, modules, providers }) {
  return withPrompts(async ({ promptText, promptList }) => ({
    name: given.name ?? (await promptText('App name', defaultName)),
    modules: given.modules ?? (await promptList('Modules', modules, modules)),
    providers: given.providers ?? (await promptList('OAuth providers', providers, providers)),
  }))
}

/** Writes to a temporary folder and renames it, so that an incomplete app never exists. */
async function write(folder, choices, from, output) {
  const parent = dirname(folder)
  await mkdir(parent, { recursive: true })
  return withTemporaryFolder(
    async (temporary) =>
      output.withProgress('Writing the app', async () => {
        const { tree, version } = await renderVersion(
          from,
          choices,
          join(temporary, 'version'),
          ownVersion,
        )
        const draft = join(temporary, 'app')
        const record = recordText({ version, from, ...choices }, folder)
        await writeTree(draft, new Map([...tree, [recordFile, Buffer.from(record)]]))
        if (existsSync(folder)) await rmdir(folder)
        await rename(draft, folder)
        return { version, files: tree.size + 1 }
      }),
    parent,
    '.plinth-',
  )
}

async function report(output, { folder, choices, from, files, git }) {
  const list = (ids) => ids.join(', ') || 'none'
  output.print(`\nCreated ${choices.name} in ${folder} (${files} files).`)
  output.print(`  modules    ${list(choices.modules)}`)
  output.print(`  providers  ${list(choices.providers)}`)
  if (git === 'committed') output.print('  git        one commit')
  if (git === 'staged')
    output.print('  git        files staged, not committed: set user.name and user.email in git')
  if (git === 'none') output.print('  git        none')
  if (from.repository && (await hasUncommittedChanges(from.repository))) {
    output.print('\nThe template has uncommitted changes. They are not in the app.')
  }
  output.print(`\nNext:\n  cd ${relative(callerFolder(), folder) || '.'}`)
  output.print('  npm start          install, build and serve at http://127.0.0.1:3000')
  output.print('  npm test           run all checks and tests')
  output.print('  npx plinth list    list the modules')
}
