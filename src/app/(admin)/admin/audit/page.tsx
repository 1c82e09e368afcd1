import type { Metadata } from 'next'
import { page } from '@/core/guard/page'
import { soon } from '@/core/guard/soon'
import { Button, ButtonLink } from '@/core/ui/button'
import { Panel } from '@/core/ui/panel'
import { listUsers } from '../../actions'
import {
  type AuditFilter,
  auditFilter,
  auditQuery,
  type EventCursor,
  eventCursor,
  eventCursorText,
} from '../../audit-filter'
import { type AuditEvent, actionNames, listEvents } from '../../data/audit'
import { mayAdminister } from '../../policy'
import { EventTable } from '../../ui/event-table'
import { FilterInput, FilterSelect } from '../../ui/filter'
import { Frame } from '../../ui/frame'
import { PersonInput } from '../../ui/person-input'

export const metadata: Metadata = { title: 'Audit trail' }

const query = auditFilter.extend({ after: eventCursor.optional() })

export default page(
  {
    name: 'admin_audit',
    path: '/admin/audit',
    who: mayAdminister,
    query,
    load: async ({ scope, query: { after, ...filter } }) => {
      const [names, { found }] = await Promise.all([
        actionNames(scope),
        soon({ found: listEvents(scope, filter, { after, limit: 50 }) }),
      ])
      return { names, found }
    },
  },
  ({ query: { after, ...filter }, data: { names, found } }) => (
    <Frame current="/admin/audit">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl">Audit trail</h1>
        <ButtonLink
          href={`/api/admin/audit.csv?${auditQuery(filter)}`}
          variant="secondary"
          size="small"
          download
        >
          Download as CSV
        </ButtonLink>
      </div>
      <Filter filter={filter} names={names} />
      <Panel value={found} label="The trail is being fetched">
        {({ events, next }) => <List events={events} next={next} filter={filter} after={after} />}
      </Panel>
    </Frame>
  ),
)

const outcomes = [
  { value: '', label: 'All outcomes' },
  { value: 'success', label: 'success' },
  { value: 'failure', label: 'failure' },
  { value: 'denied', label: 'denied' },
]

function Filter({ filter, names }: { filter: AuditFilter; names: readonly string[] }) {
  const { action, outcome, person, from, to } = filter
  const actions = names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))
  const day = (date: Date | undefined) => date?.toISOString().slice(0, 10)
  return (
    <search className="mb-6">
      <form className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[1.2fr_1fr_2fr_1fr_1fr_auto]">
        <FilterSelect
          label="What"
          name="action"
          options={[{ value: '', label: 'Everything' }, ...actions]}
          chosen={action}
        />
        <FilterSelect label="Outcome" name="outcome" options={outcomes} chosen={outcome} />
        <PersonInput suggest={listUsers} person={person} className="col-span-2 lg:col-span-1" />
        <FilterInput label="From (UTC)" name="from" type="date" defaultValue={day(from)} />
        <FilterInput label="To (UTC)" name="to" type="date" defaultValue={day(to)} />
        <Button type="submit" className="col-span-2 lg:col-span-1">
          Show
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
  const address = (more: Record<string, string>) =>
    `/admin/audit?${new URLSearchParams([...auditQuery(filter), ...Object.entries(more)])}`
  return (
    <>
      <EventTable
        caption={after ? 'Before those of the page before' : 'The newest first'}
        events={events}
        empty="Nothing fits this filter. Take some of it away, or look at other days."
      />
      <div className="mt-6 flex flex-wrap gap-3">
        {after && (
          <ButtonLink href={address({})} variant="quiet">
            Back to the newest
          </ButtonLink>
        )}
        {next && (
          <ButtonLink href={address({ after: eventCursorText(next) })} variant="secondary">
            Older events
          </ButtonLink>
        )}
      </div>
    </>
  )
}
