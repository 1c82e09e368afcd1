import { CommandError } from '../../command-error.mjs'
import { refuseUsedName, requireModule } from '../installed-parts.mjs'
import { manifestEdit } from '../manifest-edit.mjs'
import { partNames } from '../part-names.mjs'
import { jobSource, jobTestSource } from '../parts/job.mjs'

export async function plan(app, [id, name], { schedule }) {
  const folder = await requireModule(app, id)
  if (name === undefined) throw new CommandError('No name given. For example: archive-bookmarks')
  const names = partNames(name, 'archive-bookmarks')
  const { kebab, camel } = names
  const file = `${folder}/${kebab}-job.ts`
  await refuseUsedName(app, folder, camel, file)
  const { edited, notes } = await manifestEdit(app, folder, {
    key: 'jobs',
    name: camel,
    from: `./${kebab}-job`,
  })
  const model = { ...names, module: id, schedule: checkedSchedule(schedule) }
  return {
    files: {
      [file]: jobSource(model),
      [`${folder}/tests/${kebab}-job.db.test.ts`]: jobTestSource(model),
    },
    edited,
    module: { id },
    notes,
    next: schedule
      ? `Next: change what ${camel} does. It runs at the times of its schedule, in UTC.`
      : `Next: change what ${camel} does, then add it in a mutation: await ${camel}.enqueue(tx, { id })`,
  }
}

const field = String.raw`[\d*A-Za-z,\-/?#L]+`
const cron = new RegExp(`^${field}( ${field}){4}$`)

/** The server checks the rest when it starts. */
function checkedSchedule(schedule) {
  if (schedule === undefined || cron.test(schedule)) return schedule
  throw new CommandError(
    `Invalid schedule: ${schedule}. Use five fields of cron in quotes, such as '0 3 * * *'.`,
  )
}
