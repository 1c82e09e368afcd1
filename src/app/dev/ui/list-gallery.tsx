import { FilterForm, FilterInput, FilterSelect } from '@/core/ui/filter-form'
import { Pagination } from '@/core/ui/list'
import { EmptyState } from '@/core/ui/page-parts'
import { GalleryRow, GallerySection } from './gallery-section'

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
