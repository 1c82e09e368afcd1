import { basename } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { requireAvailable, requireName } from '../template/choices.mjs'
import { modulesIn } from '../template/modules.mjs'
import { describeProvider, providersIn } from '../template/providers.mjs'
import { readTemplate } from '../template/read-template.mjs'
import { canPrompt, parseChoices, withPrompts } from '../terminal/prompts.mjs'

/** Pairs of an id and one line of description. */
export async function describeChoices() {
  const template = await readTemplate()
  return {
    Modules: modulesIn(template).map(({ id, description }) => [id, description]),
    'OAuth providers': providersIn(template).map((id) => [id, describeProvider(template, id)]),
  }
}

/** The name, modules and providers of the new app, from flags and prompts. */
export async function choicesFrom(flags, folder, output) {
  const described = await describeChoices()
  const [modules, providers] = Object.values(described).map((rows) => rows.map(([id]) => id))
  const given = {
    name: flags.name,
    modules: flags.modules === undefined ? undefined : parseChoices(flags.modules, modules),
    providers: flags.providers === undefined ? undefined : parseChoices(flags.providers, providers),
  }
  const isComplete = flags.yes || !Object.values(given).includes(undefined)
  if (!isComplete && !promptsFor(flags, output)) {
    throw new CommandError(
      'Cannot prompt without a terminal. Pass --yes, or --name, --modules and --providers.',
    )
  }
  const defaultName = basename(folder)
  const choices = isComplete ? given : await promptFor(given, defaultName, described)
  return {
    name: requireName(choices.name ?? defaultName),
    modules: requireAvailable('module', choices.modules ?? modules, modules),
    providers: requireAvailable('provider', choices.providers ?? providers, providers),
  }
}

export function promptsFor(flags, output) {
  return !flags.yes && !output.json && canPrompt()
}

function promptFor(given, defaultName, described) {
  return withPrompts(async ({ promptText, promptList }) => ({
    name: given.name ?? (await promptText('App name', defaultName, requireName)),
    modules: given.modules ?? (await promptList('Modules', described.Modules)),
    providers:
      given.providers ?? (await promptList('OAuth providers', described['OAuth providers'])),
  }))
}
