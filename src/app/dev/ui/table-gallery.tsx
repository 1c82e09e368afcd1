import { Badge } from '@/core/ui/badge'
import { type Column, Table } from '@/core/ui/table'
import { GallerySection } from './gallery-section'

interface Person {
  name: string
  email: string
  role: string
  sessions: number
}

const people: Person[] = [
  { name: 'Ada Lovelace', email: 'ada@example.com', role: 'Admin', sessions: 3 },
  { name: 'Charles Babbage', email: 'charles.babbage@example.com', role: 'Editor', sessions: 12 },
  { name: 'Mary Somerville', email: 'mary@example.com', role: 'Viewer', sessions: 0 },
]

const columns: [Column<Person>, ...Column<Person>[]] = [
  { header: 'Name', cell: (person) => person.name },
  { header: 'E-mail', cell: (person) => person.email },
  {
    header: 'Role',
    cell: ({ role }) => <Badge tone={role === 'Admin' ? 'positive' : 'neutral'}>{role}</Badge>,
  },
  { header: 'Sessions', cell: (person) => person.sessions, align: 'end' },
]

export function TableGallery() {
  const shared = { columns, rowKey: (person: Person) => person.email }
  return (
    <GallerySection title="Table">
      <Table {...shared} caption="People" rows={people} empty="Nobody yet." />
      <Table
        {...shared}
        caption="Invitations"
        rows={[]}
        empty="No invitations. Invite somebody and they appear here."
      />
    </GallerySection>
  )
}
