import { ButtonLink } from './button'

interface PaginationProps {
  /** Of the list, for screen readers. */
  label: string
  previousHref: string | undefined
  nextHref: string | undefined
  previousLabel?: string
  nextLabel?: string
}

/** Nothing if the list has one page. */
export function Pagination({
  label,
  previousHref,
  nextHref,
  previousLabel = 'Previous page',
  nextLabel = 'Next page',
}: PaginationProps) {
  if (previousHref === undefined && nextHref === undefined) return null
  return (
    <nav aria-label={label} className="pagination">
      {previousHref !== undefined && (
        <ButtonLink href={previousHref} rel="prev" variant="secondary">
          {previousLabel}
        </ButtonLink>
      )}
      {nextHref !== undefined && (
        <ButtonLink href={nextHref} rel="next" variant="secondary">
          {nextLabel}
        </ButtonLink>
      )}
    </nav>
  )
}
