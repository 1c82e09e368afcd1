'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { Table } from '@/ui/list'
import { ConfirmForm, RowButton, RowDialog } from '@/ui/row-dialog'
import { Badge, LocalTime } from '@/ui/text'

interface FailedJobTableProps {
  jobs: readonly {
    id: number
    name: string
    /** As JSON. */
    data: string
    attempts: number
    reason: string
    failedAt: Date
  }[]
  retry: FormAction
  remove: FormAction
  /** The id of the job to retry or delete, from the URL. */
  selected: { retry?: string | undefined; delete?: string | undefined }
  /** The page that shows these jobs. */
  href: string
}

export function FailedJobTable({ jobs, retry, remove, selected, href }: FailedJobTableProps) {
  const rowKey = ({ id }: { id: number }) => String(id)
  return (
    <>
      <Table
        caption="Failed jobs"
        rows={jobs}
        rowKey={rowKey}
        empty="No failed jobs."
        columns={[
          { header: 'Job', cell: ({ name }) => <JobName name={name} /> },
          { header: 'Reason', cell: ({ reason }) => <span className="break-words">{reason}</span> },
          {
            header: 'Failed',
            cell: ({ failedAt }) => <LocalTime at={failedAt} precision="minute" />,
          },
          { header: 'Attempts', cell: ({ attempts }) => attempts, align: 'end' },
          {
            header: 'Actions',
            align: 'end',
            cell: ({ id }) => (
              <span className="inline-flex gap-2">
                <RowButton opens="retry" row={String(id)}>
                  Retry
                </RowButton>
                <RowButton opens="delete" row={String(id)}>
                  Delete
                </RowButton>
              </span>
            ),
          },
        ]}
      />
      <RowDialog
        name="retry"
        rows={jobs}
        rowKey={rowKey}
        selected={selected.retry}
        href={href}
        title="Retry this job?"
      >
        {({ id, name, data }, close) => (
          <ConfirmForm
            action={retry}
            fields={{ jobId: String(id) }}
            confirm="Retry"
            variant="primary"
            onDone={close}
          >
            <p>
              <JobName name={name} /> runs again from its first attempt, with this data:
            </p>
            <pre className="mt-3 overflow-x-auto text-xs">{data}</pre>
          </ConfirmForm>
        )}
      </RowDialog>
      <RowDialog
        name="delete"
        rows={jobs}
        rowKey={rowKey}
        selected={selected.delete}
        href={href}
        title="Delete this job?"
        dismiss="Keep job"
      >
        {({ id, name }) => (
          <ConfirmForm action={remove} fields={{ jobId: String(id) }} confirm="Delete job">
            <p>
              <JobName name={name} /> will not run again. This cannot be undone.
            </p>
          </ConfirmForm>
        )}
      </RowDialog>
    </>
  )
}

interface ActiveJobTableProps {
  jobs: readonly {
    id: number
    name: string
    isRunning: boolean
    startedAt: Date | null
    dueAt: Date
    attempts: number
    reason: string | null
  }[]
  /** More than are listed. */
  total: number
}

export function ActiveJobTable({ jobs, total }: ActiveJobTableProps) {
  const caption = 'Waiting and running jobs'
  return (
    <Table
      caption={total > jobs.length ? `${caption}: the first ${jobs.length}` : caption}
      rows={jobs}
      rowKey={({ id }) => String(id)}
      empty="No job waits or runs."
      columns={[
        { header: 'Job', cell: ({ name }) => <JobName name={name} /> },
        {
          header: 'State',
          cell: ({ isRunning, attempts }) => {
            if (isRunning) return <Badge tone="positive">running</Badge>
            return attempts > 0 ? <Badge tone="warning">retrying</Badge> : <Badge>waiting</Badge>
          },
        },
        {
          header: 'Since or due',
          cell: ({ isRunning, startedAt, dueAt }) => (
            <LocalTime at={isRunning && startedAt ? startedAt : dueAt} precision="minute" />
          ),
        },
        { header: 'Attempts', cell: ({ attempts }) => attempts, align: 'end' },
        {
          header: 'Last failure',
          cell: ({ reason }) => <span className="break-words">{reason ?? '–'}</span>,
        },
      ]}
    />
  )
}

interface ScheduleTableProps {
  schedules: readonly {
    name: string
    schedule: string
    timeZone: string
    nextAt: Date
    lastEndedAt: Date | null
    lastOutcome: 'success' | 'failure' | null
  }[]
  run: FormAction
  /** The name of the job to run, from `?run=`. */
  selected: string | undefined
  href: string
}

export function ScheduleTable({ schedules, run, selected, href }: ScheduleTableProps) {
  return (
    <>
      <Table
        caption="Schedules"
        rows={schedules}
        rowKey={({ name }) => name}
        empty="No module has a scheduled job."
        columns={[
          { header: 'Job', cell: ({ name }) => <JobName name={name} /> },
          {
            header: 'Schedule',
            cell: ({ schedule, timeZone }) => (
              <span>
                <code className="font-mono text-xs">{schedule}</code> {timeZone}
              </span>
            ),
          },
          {
            header: 'Next run',
            cell: ({ nextAt }) => <LocalTime at={nextAt} precision="minute" />,
          },
          {
            header: 'Last run',
            cell: ({ lastEndedAt, lastOutcome }) =>
              lastEndedAt ? (
                <span>
                  <LocalTime at={lastEndedAt} precision="minute" />{' '}
                  {lastOutcome === 'failure' && <Badge tone="danger">failed</Badge>}
                </span>
              ) : (
                'never'
              ),
          },
          {
            header: 'Actions',
            align: 'end',
            cell: ({ name }) => (
              <RowButton opens="run" row={name}>
                Run now
              </RowButton>
            ),
          },
        ]}
      />
      <RowDialog
        name="run"
        rows={schedules}
        rowKey={({ name }) => name}
        selected={selected}
        href={href}
        title="Run this job now?"
      >
        {({ name }, close) => (
          <ConfirmForm
            action={run}
            fields={{ name }}
            confirm="Run now"
            variant="primary"
            onDone={close}
          >
            <p>
              <JobName name={name} /> starts within seconds. Its schedule does not change.
            </p>
          </ConfirmForm>
        )}
      </RowDialog>
    </>
  )
}

function JobName({ name }: { name: string }) {
  return <span className="font-mono text-xs break-all">{name}</span>
}
