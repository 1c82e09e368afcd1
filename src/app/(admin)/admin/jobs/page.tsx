import type { Metadata } from 'next'
import type { Cursor } from 'plinth/db/list'
import { defer, page } from 'plinth/guard/page'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { ConfirmButton } from '@/ui/forms/confirm-button'
import { Pagination } from '@/ui/list'
import { Deferred } from '@/ui/page-parts'
import { findUnsentMail } from '../../data/jobs/failed-mail'
import {
  countJobs,
  encodeJobCursor,
  jobCursorField,
  listActiveJobs,
  listFailedJobs,
  listSchedules,
} from '../../data/jobs/list-jobs'
import { mayAdminister } from '../../policy'
import { AdminLayout } from '../../ui/admin-layout'
import { Stats } from '../../ui/charts/stats'
import { ActiveJobTable, FailedJobTable, ScheduleTable } from '../../ui/job-tables'
import { MailTable } from '../../ui/mail-table'
import {
  deleteJob,
  deleteUnsentMail,
  retryAllFailedJobs,
  retryFailedJob,
  retryUnsentMail,
  runScheduledJob,
} from './actions'

export const metadata: Metadata = { title: 'Jobs' }

const query = z.object({
  cursor: jobCursorField.optional(),
  retry: z.string().optional(),
  delete: z.string().optional(),
  run: z.string().optional(),
})

export default page(
  {
    name: 'view_jobs',
    path: '/admin/jobs',
    renderCache: true,
    authorize: mayAdminister,
    query,
    load: ({ query: { cursor } }) => defer({ results: loadJobs(cursor) }),
  },
  ({ query: { cursor, ...selected }, data: { results } }) => (
    <AdminLayout current="/admin/jobs" title="Jobs">
      <Deferred value={results} label="Loading jobs">
        {(loaded) => <Jobs {...loaded} href={pageUrl(cursor)} selected={selected} />}
      </Deferred>
    </AdminLayout>
  ),
)

async function loadJobs(cursor: Cursor | undefined) {
  const [counts, failed, active, schedules, unsent] = await Promise.all([
    countJobs(),
    listFailedJobs(cursor),
    listActiveJobs(),
    listSchedules(),
    findUnsentMail(),
  ])
  return { counts, failed, active, schedules, unsent }
}

interface JobsProps extends Awaited<ReturnType<typeof loadJobs>> {
  href: string
  selected: { retry?: string | undefined; delete?: string | undefined; run?: string | undefined }
}

function Jobs({ counts, failed, active, schedules, unsent, href, selected }: JobsProps) {
  const { waiting, running } = counts
  return (
    <>
      <Stats
        items={[
          { label: 'Waiting', value: waiting.toLocaleString('en-US') },
          { label: 'Running', value: running.toLocaleString('en-US') },
          { label: 'Failed', value: counts.failed.toLocaleString('en-US') },
          { label: 'Mail retrying', value: unsent.retrying.toLocaleString('en-US') },
          { label: 'Mail not sent', value: unsent.failed.toLocaleString('en-US') },
        ]}
      />
      {counts.failed > 1 && (
        <div className="mt-6">
          <ConfirmButton
            id="retry-all"
            label="Retry all failed jobs"
            title="Retry all failed jobs?"
            confirm="Retry all"
            action={retryAllFailedJobs}
            fields={{ jobs: 'failed' }}
          >
            <p>{counts.failed.toLocaleString('en-US')} jobs run again from their first attempt.</p>
          </ConfirmButton>
        </div>
      )}
      <div className="mt-6">
        <FailedJobTable
          jobs={failed.jobs}
          retry={retryFailedJob}
          remove={deleteJob}
          selected={selected}
          href={href}
        />
        <Pagination
          label="Pages of failed jobs"
          previousHref={failed.previous && pageUrl(failed.previous)}
          nextHref={failed.next && pageUrl(failed.next)}
        />
      </div>
      <UnsentMail {...unsent} />
      <div className="mt-6">
        <ActiveJobTable jobs={active} total={waiting + running} />
      </div>
      <div className="mt-6">
        <ScheduleTable
          schedules={schedules}
          run={runScheduledJob}
          selected={selected.run}
          href={href}
        />
      </div>
    </>
  )
}

/** The buttons are about all of it: what failed, such as the mail server, is the same for each. */
function UnsentMail({ mail, failed }: JobsProps['unsent']) {
  const messages = failed === 1 ? 'One message' : `${failed.toLocaleString('en-US')} messages`
  return (
    <div id="mail" className="mt-6 scroll-mt-6">
      <MailTable mail={mail} total={failed} />
      {failed > 0 && (
        <div className="mt-4 flex flex-wrap gap-3">
          <ConfirmButton
            id="retry-mail"
            label="Send all again"
            title="Send all of this mail again?"
            confirm="Send all again"
            action={retryUnsentMail}
            fields={{ mail: 'failed' }}
          >
            <p>{`${messages} will be sent, with new links.`}</p>
          </ConfirmButton>
          <ConfirmButton
            id="delete-mail"
            label="Delete all"
            title="Delete all of this mail?"
            confirm="Delete all"
            action={deleteUnsentMail}
            fields={{ mail: 'failed' }}
            variant="quiet"
          >
            <p>{`${messages} will never be sent.`}</p>
          </ConfirmButton>
        </div>
      )}
    </div>
  )
}

const pageUrl = (cursor: Cursor | undefined) =>
  urlWith('/admin/jobs', { cursor: cursor && encodeJobCursor(cursor) })
