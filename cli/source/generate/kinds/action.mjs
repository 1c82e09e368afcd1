import { CommandError } from '../../command-error.mjs'
import { parseFields } from '../fields.mjs'
import {
  readText,
  refuseUsedActionName,
  refuseUsedName,
  requireModule,
} from '../installed-parts.mjs'
import { partNames } from '../part-names.mjs'
import { actionSource, actionTestSource } from '../parts/action.mjs'

export async function plan(app, [id, name, ...specs]) {
  const folder = await requireModule(app, id)
  if (name === undefined) throw new CommandError('No name given. For example: archive-bookmark')
  const names = partNames(name, 'archive-bookmark')
  const model = { ...names, fields: parseFields(specs), ...(await rowOf(app, folder)) }
  if (names.camel === model.table) {
    throw new CommandError(`${name} is the name of a table. Use a verb, such as archive-${name}.`)
  }
  const file = `${folder}/${names.kebab}-action.ts`
  await refuseUsedName(app, folder, names.camel, file)
  await refuseUsedActionName(app, names.snake, file)
  return {
    files: {
      [file]: actionSource(model),
      [`${folder}/tests/${names.kebab}-action.db.test.ts`]: actionTestSource(model),
    },
    module: { id },
    next: `Next: change what ${names.camel} does, then use it in a page: <Form action={${names.camel}} …>`,
  }
}

/** The table that the action changes and the rule for it, if the module has exactly one of them. */
async function rowOf(app, folder) {
  const read = (path) => readText(app, `${folder}/${path}`)
  const [schema, policy, data] = [
    await read('schema.ts'),
    await read('policy.ts'),
    await read('data.ts'),
  ]
  const tables = [...schema.matchAll(/^export const (\w+) = pgTable\(/gm)]
  const rule = /^export const (mayWrite|mayUse) = (isSignedIn|isEditor|isAdmin|policy\()/m.exec(
    policy,
  )
  const hasColumns = /\bid: uuid\('id'\)/.test(schema) && /\bupdatedAt: \w+\(/.test(schema)
  const isOwned = data.includes('export function ownedBy(scope: SignedInScope): SQL {')
  if (!rule || tables.length !== 1 || !hasColumns) return { policy: undefined, table: undefined }
  return { policy: rule[1], table: tables[0][1], isOwned }
}
