import { Button, ButtonLink } from '@/ui/button'
import { InputField, TextAreaField } from '@/ui/forms/field'
import { FilterForm, FilterInput, FilterSelect } from '@/ui/forms/filter-form'
import { type Column, Pagination, Table } from '@/ui/list'
import { EmptyState } from '@/ui/page-parts'
import { Badge, Icon } from '@/ui/text'
import { GalleryRow, GallerySection, PendingForm } from './form-gallery'

export function ButtonGallery() {
  return (
    <GallerySection title="Button">
      <GalleryRow title="Variants">
        <Button>Primary</Button>
        <Button variant="secondary">Secondary</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger">
          <Icon name="delete" />
          Danger
        </Button>
      </GalleryRow>
      <GalleryRow title="Small">
        <Button size="small">Primary</Button>
        <Button size="small" variant="secondary">
          Secondary
        </Button>
        <Button size="small" variant="quiet">
          Quiet
        </Button>
        <Button size="small" variant="danger">
          Danger
        </Button>
      </GalleryRow>
      <GalleryRow title="Disabled">
        <Button disabled>Primary</Button>
        <Button variant="secondary" disabled>
          Secondary
        </Button>
        <Button variant="danger" disabled>
          Danger
        </Button>
      </GalleryRow>
      <GalleryRow title="As link">
        <ButtonLink href="/">Home page</ButtonLink>
        <ButtonLink href="/" variant="secondary">
          Home page
        </ButtonLink>
      </GalleryRow>
      <GalleryRow title="Pending">
        <Button pending>Saving</Button>
        <PendingForm />
      </GalleryRow>
    </GallerySection>
  )
}

export function FieldGallery() {
  return (
    <GallerySection title="Field">
      <form method="get" className="grid max-w-md gap-6">
        <InputField label="Name" name="name" defaultValue="Ada Lovelace" required />
        <InputField
          label="Email"
          name="email"
          type="email"
          description="Used only for emails about your account."
          error="Enter an email in the format name@example.com."
          defaultValue="ada@"
          required
        />
        <InputField label="Website" name="website" type="url" placeholder="https://" />
        <InputField label="Account number" name="number" defaultValue="4711" required disabled />
        <TextAreaField
          label="About you"
          name="about"
          description="A sentence or two, shown on your profile."
        />
        <Button type="submit" className="justify-self-start">
          Submit
        </Button>
      </form>
    </GallerySection>
  )
}

const sorts = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
]

export function ListGallery() {
  return (
    <>
      <GallerySection title="Filter form">
        <FilterForm submitLabel="Filter" clearHref="/dev/ui">
          <FilterInput label="Part of the title" name="query" defaultValue="plinth" wide />
          <FilterSelect label="Sort" name="sort" options={sorts} selected="oldest" />
        </FilterForm>
      </GallerySection>
      <GallerySection title="Pagination">
        <GalleryRow title="First, middle and last page">
          <Pagination label="First page" previousHref={undefined} nextHref="?page=2" />
          <Pagination label="Middle page" previousHref="?page=1" nextHref="?page=3" />
          <Pagination
            label="Last page"
            previousHref="?page=2"
            nextHref={undefined}
            previousLabel="Newer notes"
          />
        </GalleryRow>
      </GallerySection>
      <GallerySection title="Empty state">
        <EmptyState title="No notes yet." action={{ href: '/dev/ui', label: 'Write a note' }}>
          Notes that you write appear here.
        </EmptyState>
      </GallerySection>
    </>
  )
}

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
