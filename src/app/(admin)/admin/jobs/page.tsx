import type { Metadata } from 'next'
import { z } from 'zod'
import type { Cursor } from '@/core/db/list'
import { defer, page } from '@/core/guard/page'
import { ConfirmButton } from '@/core/ui/confirm-button'
import { Pagination } from '@/core/ui/list'
import { Deferred } from '@/core/ui/page-parts'
import { urlWith } from '@/core/ui/url'
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
import { ActiveJobTable, FailedJobTable, ScheduleTable } from '../../ui/job-tables'
import { Stats } from '../../ui/stats'
import { deleteJob, retryAllFailedJobs, retryFailedJob, runScheduledJob } from './actions'

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
  const [counts, failed, active, schedules] = await Promise.all([
    countJobs(),
    listFailedJobs(cursor),
    listActiveJobs(),
    listSchedules(),
  ])
  return { counts, failed, active, schedules }
}

interface JobsProps extends Awaited<ReturnType<typeof loadJobs>> {
  href: string
  selected: { retry?: string | undefined; delete?: string | undefined; run?: string | undefined }
}

function Jobs({ counts, failed, active, schedules, href, selected }: JobsProps) {
  const { waiting, running } = counts
  return (
    <>
      <Stats
        items={[
          { label: 'Waiting', value: waiting.toLocaleString('en-US') },
          { label: 'Running', value: running.toLocaleString('en-US') },
          { label: 'Failed', value: counts.failed.toLocaleString('en-US') },
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

const pageUrl = (cursor: Cursor | undefined) =>
  urlWith('/admin/jobs', { cursor: cursor && encodeJobCursor(cursor) })
