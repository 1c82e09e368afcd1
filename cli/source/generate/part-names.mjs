import { CommandError } from '../command-error.mjs'
import { fieldNames } from './names.mjs'
import { javaScriptWords } from './reserved.mjs'

/** Names that the generated files import, and those of the manifest. */
const usedNames = new Set(
  'and api eq expect job jobs jobSchedules jobsOfModules log mail module mutation navigation ownedBy refuse route runDueJobs sql storeSchedules test users z'.split(
    ' ',
  ),
)

/** The spellings of a part's name, such as `archive-bookmark`. */
export function partNames(name, example) {
  if (!/^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/.test(name) || name.length > 60) {
    throw new CommandError(
      `Invalid name: ${name}. Use lowercase letters, digits and hyphens, such as ${example}.`,
    )
  }
  const { property, column, text, label } = fieldNames(name.replaceAll('-', '_'))
  if (javaScriptWords.has(property) || usedNames.has(property)) {
    throw new CommandError(
      `${name} has another meaning in code. Choose another name, such as ${example}.`,
    )
  }
  return { kebab: name.replaceAll('_', '-'), camel: property, snake: column, text, title: label }
}
