import type { Metadata } from 'next'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import { Button, ButtonLink } from '@/core/ui/button'
import { Deferred } from '@/core/ui/deferred'
import { listUsers } from '../../actions'
import {
  type AuditFilter,
  auditFilter,
  auditSearchParams,
  type EventCursor,
  encodeEventCursor,
  eventCursor,
} from '../../audit-filter'
import { type AuditEvent, actionNames, listEvents } from '../../data/audit'
import { mayAdminister } from '../../policy'
import { AdminLayout } from '../../ui/admin-layout'
import { EventTable } from '../../ui/event-table'
import { FilterInput, FilterSelect } from '../../ui/filter'
import { UserInput } from '../../ui/user-input'

export const metadata: Metadata = { title: 'Audit log' }

const query = auditFilter.extend({ after: eventCursor.optional() })

export default page(
  {
    name: 'view_audit_log',
    path: '/admin/audit',
    authorize: mayAdminister,
    query,
    load: async ({ scope, query: { after, ...filter } }) => {
      const [names, { results }] = await Promise.all([
        actionNames(scope),
        defer({ results: listEvents(scope, filter, { after, limit: 50 }) }),
      ])
      return { names, results }
    },
  },
  ({ query: { after, ...filter }, data: { names, results } }) => (
    <AdminLayout current="/admin/audit">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl">Audit log</h1>
        <ButtonLink
          href={`/api/admin/audit.csv?${auditSearchParams(filter)}`}
          variant="secondary"
          size="small"
          download
        >
          Download CSV
        </ButtonLink>
      </div>
      <Filter filter={filter} names={names} />
      <Deferred value={results} label="Loading the audit log">
        {({ events, next }) => <List events={events} next={next} filter={filter} after={after} />}
      </Deferred>
    </AdminLayout>
  ),
)

const outcomes = [
  { value: '', label: 'All outcomes' },
  { value: 'success', label: 'success' },
  { value: 'failure', label: 'failure' },
  { value: 'denied', label: 'denied' },
]

function Filter({ filter, names }: { filter: AuditFilter; names: readonly string[] }) {
  const { action, outcome, user, from, to } = filter
  const actions = names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))
  const day = (date: Date | undefined) => date?.toISOString().slice(0, 10)
  return (
    <search className="mb-6">
      <form className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[1.2fr_1fr_2fr_1fr_1fr_auto]">
        <FilterSelect
          label="Action"
          name="action"
          options={[{ value: '', label: 'All actions' }, ...actions]}
          chosen={action}
        />
        <FilterSelect label="Outcome" name="outcome" options={outcomes} chosen={outcome} />
        <UserInput suggest={listUsers} user={user} className="col-span-2 lg:col-span-1" />
        <FilterInput label="From (UTC)" name="from" type="date" defaultValue={day(from)} />
        <FilterInput label="To (UTC)" name="to" type="date" defaultValue={day(to)} />
        <Button type="submit" className="col-span-2 lg:col-span-1">
          Filter
        </Button>
      </form>
    </search>
  )
}

interface ListProps {
  events: AuditEvent[]
  next: EventCursor | undefined
  filter: AuditFilter
  after: EventCursor | undefined
}

function List({ events, next, filter, after }: ListProps) {
  const pageUrl = (more: Record<string, string>) =>
    `/admin/audit?${new URLSearchParams([...auditSearchParams(filter), ...Object.entries(more)])}`
  return (
    <>
      <EventTable
        caption={after ? 'Older events' : 'Newest first'}
        events={events}
        empty="No events match these filters. Remove a filter or choose other dates."
      />
      <div className="mt-6 flex flex-wrap gap-3">
        {after && (
          <ButtonLink href={pageUrl({})} variant="quiet">
            Newest events
          </ButtonLink>
        )}
        {next && (
          <ButtonLink href={pageUrl({ after: encodeEventCursor(next) })} variant="secondary">
            Older events
          </ButtonLink>
        )}
      </div>
    </>
  )
}
