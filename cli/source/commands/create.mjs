import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { recordFile, recordText } from '../app/record.mjs'
import { initialiseGit } from '../app/repository.mjs'
import { hasUncommittedChanges, ownOrigin } from '../origin/origin.mjs'
import { ownVersion } from '../origin/own-version.mjs'
import { renderAt } from '../origin/versions.mjs'
import { Stop } from '../stop.mjs'
import { requireKnown, requireName } from '../template/choices.mjs'
import { modulesIn } from '../template/modules.mjs'
import { providersIn } from '../template/providers.mjs'
import { readTemplate } from '../template/read-template.mjs'
import { withTemporaryFolder } from '../temporary.mjs'
import { canAsk, choose, withQuestions } from '../terminal/questions.mjs'
import { writeTree } from '../tree.mjs'

export async function run({ flags, names, output }) {
  const [said] = names
  if (said === undefined) throw new Stop('Which folder? create-plinth my-app')
  if (names.length > 1) throw new Stop(`One folder at a time: ${names.join(', ')}.`)
  const folder = resolve(whereTyped(), said)
  await refuseFull(folder)
  const choices = await choicesFrom(flags, folder, output)
  const from = await ownOrigin()
  const { version, files } = await write(folder, choices, from, output)
  const git = flags['no-git'] ? 'none' : await initialiseGit(folder)
  await report(output, { folder, choices, from, files, git })
  return { folder, version, ...choices, files, git }
}

/** `npm run create` runs in the repository, wherever it was typed. */
function whereTyped() {
  const { npm_lifecycle_event: script, INIT_CWD: typed } = process.env
  return script === 'create' && typed ? typed : process.cwd()
}

async function refuseFull(folder) {
  const found = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new Stop(`${folder} is a file.`)
    throw error
  })
  if (found.length > 0) {
    throw new Stop(
      `${folder} is not empty (${found.slice(0, 3).join(', ')}…): nothing was created.`,
    )
  }
}

async function choicesFrom(flags, folder, output) {
  const template = await readTemplate()
  const modules = modulesIn(template).map(({ id }) => id)
  const providers = providersIn(template)
  const usual = basename(folder)
  const asks = !flags.yes && !output.json && canAsk()
  const given = {
    name: flags.name,
    modules: flags.modules === undefined ? undefined : choose(flags.modules, modules),
    providers: flags.providers === undefined ? undefined : choose(flags.providers, providers),
  }
  if (!asks && !flags.yes && Object.values(given).includes(undefined)) {
    throw new Stop('Nobody can be asked here: add --yes, or --name, --modules and --providers.')
  }
  const answers = asks ? await askFor(given, { usual, modules, providers }) : given
  return {
    name: requireName(answers.name ?? usual),
    modules: requireKnown('module', answers.modules ?? modules, modules),
    providers: requireKnown('provider', answers.providers ?? providers, providers),
  }
}

function askFor(given, { usual, modules, providers }) {
  return withQuestions(async ({ text, some }) => ({
    name: given.name ?? (await text('What is it called?', usual)),
    modules: given.modules ?? (await some('Which modules?', modules, modules)),
    providers: given.providers ?? (await some('Sign in also with?', providers, providers)),
  }))
}

/** Beside the folder first, then in its place in one step: there is never half an app. */
async function write(folder, choices, from, output) {
  const parent = dirname(folder)
  await mkdir(parent, { recursive: true })
  return withTemporaryFolder(
    async (temporary) =>
      output.during('Writing the app', async () => {
        const { tree, version } = await renderAt(
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
  output.say(`\n${choices.name} is in ${folder}: ${files} files.`)
  output.say(`  modules    ${list(choices.modules)}`)
  output.say(`  providers  ${list(choices.providers)}`)
  if (git === 'committed') output.say('  git        one commit')
  if (git === 'staged')
    output.say('  git        everything is staged; git knows no name to commit under')
  if (git === 'none') output.say('  git        none')
  if (from.repository && (await hasUncommittedChanges(from.repository))) {
    output.say('\nThe template has changes that are not committed; they are not in the app.')
  }
  output.say(`\nNext:\n  cd ${relative(whereTyped(), folder) || '.'}`)
  output.say('  npm start          installs, builds and serves it at http://127.0.0.1:3000')
  output.say('  npm test           installs what it needs, and tests everything')
  output.say('  npx plinth list    the modules there are')
}
