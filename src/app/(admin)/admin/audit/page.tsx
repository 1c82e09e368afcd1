import type { Metadata } from 'next'
import type { Cursor } from 'plinth/db/list'
import { defer, page } from 'plinth/guard/page'
import { urlWith } from 'plinth/universal/url'
import { ButtonLink } from '@/ui/button'
import { FilterForm, FilterSelect } from '@/ui/forms/filter-form'
import { Pagination } from '@/ui/list'
import { Deferred } from '@/ui/page-parts'
import { listUsers } from '../../actions'
import {
  type AuditFilter,
  auditFilter,
  encodeEventCursor,
  eventCursorField,
} from '../../audit/audit-filter'
import { actionNames, listEvents } from '../../data/audit'
import { mayAdminister } from '../../policy'
import { timeZoneOf } from '../../time-zone'
import { AdminLayout } from '../../ui/admin-layout'
import { DayInputs } from '../../ui/day-inputs'
import { EventTable } from '../../ui/event-table'
import { UserInput } from '../../ui/users/user-input'

export const metadata: Metadata = { title: 'Audit log' }

const query = auditFilter.extend({ cursor: eventCursorField.optional() })

export default page(
  {
    name: 'view_audit_log',
    path: '/admin/audit',
    renderCache: true,
    authorize: mayAdminister,
    query,
    load: async ({ scope, query: { cursor, ...filter } }) => {
      const timeZone = timeZoneOf(scope, filter)
      const [names, { results }] = await Promise.all([
        actionNames(),
        defer({ results: listEvents({ ...filter, timeZone }, { cursor, limit: 50 }) }),
      ])
      return { names, results, timeZone }
    },
  },
  ({ query: { cursor: _, ...filter }, data: { names, results, timeZone } }) => (
    <AdminLayout
      current="/admin/audit"
      title="Audit log"
      actions={
        <ButtonLink
          href={urlWith('/api/admin/audit.csv', { ...filter, timeZone })}
          variant="secondary"
          size="small"
        >
          Download CSV
        </ButtonLink>
      }
    >
      <Filter filter={filter} names={names} timeZone={timeZone} />
      <Deferred value={results} label="Loading the audit log">
        {(page) => <List page={page} filter={filter} />}
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

interface FilterProps {
  filter: AuditFilter
  names: readonly string[]
  timeZone: string | undefined
}

function Filter({ filter, names, timeZone }: FilterProps) {
  const { action, outcome, user, from, to } = filter
  const actions = names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))
  const isSet = Boolean(action || outcome || user || from || to)
  return (
    <FilterForm submitLabel="Filter" clearHref={isSet ? '/admin/audit' : undefined}>
      <FilterSelect
        label="Action"
        name="action"
        options={[{ value: '', label: 'All actions' }, ...actions]}
        selected={action}
      />
      <FilterSelect label="Outcome" name="outcome" options={outcomes} selected={outcome} />
      <UserInput suggest={listUsers} user={user} />
      <DayInputs from={from} to={to} timeZone={timeZone} />
    </FilterForm>
  )
}

interface ListProps {
  page: Awaited<ReturnType<typeof listEvents>>
  filter: AuditFilter
}

function List({ page: { events, next, previous }, filter }: ListProps) {
  const pageUrl = (cursor: Cursor) =>
    urlWith('/admin/audit', { ...filter, cursor: encodeEventCursor(cursor) })
  return (
    <>
      <EventTable
        caption={previous ? 'Older events' : 'Newest first'}
        events={events}
        empty="No events match these filters. Remove a filter or choose other dates."
      />
      <Pagination
        label="Pages of events"
        previousHref={previous && pageUrl(previous)}
        nextHref={next && pageUrl(next)}
        previousLabel="Newer events"
        nextLabel="Older events"
      />
    </>
  )
}
