import { type Column, Table } from '@/core/ui/list'
import { Badge } from '@/core/ui/text'
import { GallerySection } from './gallery-section'

interface User {
  name: string
  email: string
  role: string
  sessions: number
}

const users: User[] = [
  { name: 'Ada Lovelace', email: 'ada@example.com', role: 'Admin', sessions: 3 },
  { name: 'Charles Babbage', email: 'charles.babbage@example.com', role: 'Editor', sessions: 12 },
  { name: 'Mary Somerville', email: 'mary@example.com', role: 'Viewer', sessions: 0 },
]

const columns: [Column<User>, ...Column<User>[]] = [
  { header: 'Name', cell: (user) => user.name },
  { header: 'Email', cell: (user) => user.email },
  {
    header: 'Role',
    cell: ({ role }) => <Badge tone={role === 'Admin' ? 'positive' : 'neutral'}>{role}</Badge>,
  },
  { header: 'Sessions', cell: (user) => user.sessions, align: 'end' },
]

export function TableGallery() {
  const shared = { columns, rowKey: (user: User) => user.email }
  return (
    <GallerySection title="Table">
      <Table {...shared} caption="Users" rows={users} empty="No users yet." />
      <Table
        {...shared}
        caption="Invitations"
        rows={[]}
        empty="No invitations. Invitations that you send appear here."
      />
    </GallerySection>
  )
}
