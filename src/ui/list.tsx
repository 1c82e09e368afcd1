import type { ReactNode } from 'react'
import { ButtonLink } from './button'

export interface Column<Row> {
  header: string
  /** Makes the header a link that sorts by this column. */
  sort?: { href: string; direction: 'ascending' | 'descending' | undefined }
  /** One element or text: on small screens it stands beside the label. */
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
}

interface TableProps<Row> {
  caption: string
  /** The first column is the row header. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  empty: ReactNode
}

/**
 * Use it in a client component that receives the rows: the page then contains their markup and their
 * data. In a server component it would contain the markup twice.
 */
export function Table<Row>({ caption, columns, rows, rowKey, empty }: TableProps<Row>) {
  const [rowHeader, ...others] = columns
  return (
    <div className="table-frame">
      <table className="data-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={alignment(column)}
                aria-sort={column.sort?.direction}
              >
                {column.sort ? <a href={column.sort.href}>{column.header}</a> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              <th scope="row">{rowHeader.cell(row)}</th>
              {others.map((column) => (
                <td key={column.header} data-label={column.header} className={alignment(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length} className="empty">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

function alignment<Row>(column: Column<Row>) {
  return column.align === 'end' ? 'end' : undefined
}

interface PaginationProps {
  /** The label of the list, for screen readers. */
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
