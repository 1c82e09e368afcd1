'use client'

import { Fragment } from 'react'
import { Table } from '@/ui/list'
import { Badge, LocalTime } from '@/ui/text'

export interface EventUser {
  id: string
  name: string
}

export interface EventRow {
  id: number
  at: Date
  /** With the placeholders `{actor}` and `{target}`. */
  sentence: string
  details?: string
  outcome: string
  /** The id, if there is no such user. */
  actor: EventUser | string | undefined
  target?: EventUser | string | undefined
  ip: string
}

interface EventRowsProps {
  caption: string
  events: readonly EventRow[]
  empty: string
}

export function EventRows({ caption, events, empty }: EventRowsProps) {
  return (
    <Table
      caption={caption}
      rows={events}
      rowKey={({ id }) => String(id)}
      empty={empty}
      columns={[
        { header: 'Time', cell: ({ at }) => <LocalTime at={at} precision="relative" /> },
        { header: 'Event', cell: Sentence },
        {
          header: 'Outcome',
          cell: ({ outcome }) => <Badge tone={toneOf(outcome)}>{outcome}</Badge>,
        },
        { header: 'IP address', cell: ({ ip }) => ip },
      ]}
    />
  )
}

/** One element, for small screens. */
function Sentence({ sentence, details, actor, target }: EventRow) {
  return (
    <span>
      {sentence.split(/(\{actor\}|\{target\})/).map((part) => (
        <Fragment key={part}>
          {part === '{actor}' && <UserName user={actor} none="Someone" />}
          {part === '{target}' && <UserName user={target} none="an unknown user" />}
          {!part.startsWith('{') && part}
        </Fragment>
      ))}
      {details && <small>{details}</small>}
    </span>
  )
}

/** The name, or the id of a deleted user. */
function UserName({ user, none }: { user: EventRow['actor']; none: string }) {
  if (user === undefined) return none
  if (typeof user === 'string') {
    return <i title={user}>{user.length > 12 ? `${user.slice(0, 8)}…` : user}</i>
  }
  return (
    <a href={`/admin/users/${user.id}`}>
      <bdi>{user.name}</bdi>
    </a>
  )
}

function toneOf(outcome: string) {
  if (outcome === 'success') return 'positive'
  return outcome === 'denied' ? 'danger' : 'warning'
}
