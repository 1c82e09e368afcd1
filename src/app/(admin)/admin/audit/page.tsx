import type { Metadata } from 'next'
import type { Cursor } from '@/core/db/list/cursor'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import { ButtonLink } from '@/core/ui/button'
import { Deferred } from '@/core/ui/deferred'
import { FilterForm, FilterInput, FilterSelect } from '@/core/ui/filter-form'
import { Pagination } from '@/core/ui/pagination'
import { urlWith } from '@/core/ui/url'
import { listUsers } from '../../actions'
import {
  type AuditFilter,
  auditFilter,
  encodeEventCursor,
  eventCursorField,
  filterFields,
} from '../../audit-filter'
import { actionNames, listEvents } from '../../data/audit'
import { mayAdminister } from '../../policy'
import { AdminLayout } from '../../ui/admin-layout'
import { EventTable } from '../../ui/event-table'
import { UserInput } from '../../ui/user-input'

export const metadata: Metadata = { title: 'Audit log' }

const query = auditFilter.extend({ cursor: eventCursorField.optional() })

export default page(
  {
    name: 'view_audit_log',
    path: '/admin/audit',
    renderCache: true,
    authorize: mayAdminister,
    query,
    load: async ({ query: { cursor, ...filter } }) => {
      const [names, { results }] = await Promise.all([
        actionNames(),
        defer({ results: listEvents(filter, { cursor, limit: 50 }) }),
      ])
      return { names, results }
    },
  },
  ({ query: { cursor: _, ...filter }, data: { names, results } }) => (
    <AdminLayout
      current="/admin/audit"
      title="Audit log"
      actions={
        <ButtonLink
          href={urlWith('/api/admin/audit.csv', filterFields(filter))}
          variant="secondary"
          size="small"
        >
          Download CSV
        </ButtonLink>
      }
    >
      <Filter filter={filter} names={names} />
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

function Filter({ filter, names }: { filter: AuditFilter; names: readonly string[] }) {
  const { action, outcome, user, from, to } = filterFields(filter)
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
      <FilterInput label="From (UTC)" name="from" type="date" defaultValue={from} />
      <FilterInput label="To (UTC)" name="to" type="date" defaultValue={to} />
    </FilterForm>
  )
}

interface ListProps {
  page: Awaited<ReturnType<typeof listEvents>>
  filter: AuditFilter
}

function List({ page: { events, next, previous }, filter }: ListProps) {
  const pageUrl = (cursor: Cursor) =>
    urlWith('/admin/audit', { ...filterFields(filter), cursor: encodeEventCursor(cursor) })
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
