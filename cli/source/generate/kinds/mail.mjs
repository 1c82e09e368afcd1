import { CommandError } from '../../command-error.mjs'
import { refuseUsedName, requireModule } from '../installed-parts.mjs'
import { manifestEdit } from '../manifest-edit.mjs'
import { partNames } from '../part-names.mjs'
import { mailSource } from '../parts/mail.mjs'

export async function plan(app, [id, name]) {
  const folder = await requireModule(app, id)
  if (name === undefined) throw new CommandError('No name given. For example: bookmark-shared')
  const names = partNames(name, 'bookmark-shared')
  const { kebab, camel } = names
  const file = `${folder}/${kebab}-mail.ts`
  await refuseUsedName(app, folder, camel, file)
  const { edited, notes } = await manifestEdit(app, folder, {
    key: 'mail',
    name: camel,
    from: `./${kebab}-mail`,
  })
  return {
    files: { [file]: mailSource({ ...names, module: id }) },
    edited,
    module: { id },
    notes,
    next: `Next: write the text, then queue it in a mutation: await ${camel}.queue(tx, { email, data: { id } })`,
  }
}
