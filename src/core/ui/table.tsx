import clsx from 'clsx'
import type { ReactNode } from 'react'

export interface Column<Row> {
  header: string
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

/** On small screens each row becomes a list of labeled values, without horizontal scrolling. */
export function Table<Row>({ caption, columns, rows, rowKey, empty }: TableProps<Row>) {
  const [rowHeader, ...others] = columns
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full text-sm max-sm:block">
        <caption className="border-b border-line px-4 py-3 text-left font-medium max-sm:block">
          {caption}
        </caption>
        <thead className="text-xs text-muted max-sm:sr-only">
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={clsx('border-b border-line px-4 py-2.5 font-medium', alignment(column))}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block [&>tr+tr]:border-t [&>tr+tr]:border-line">
          {rows.map((row) => (
            <tr key={rowKey(row)} className="max-sm:block max-sm:py-2">
              <th
                scope="row"
                className="px-4 py-3 text-left font-medium max-sm:block max-sm:py-1.5"
              >
                {rowHeader.cell(row)}
              </th>
              {others.map((column) => (
                <td
                  key={column.header}
                  className={clsx(
                    'px-4 py-3 max-sm:flex max-sm:items-center max-sm:justify-between max-sm:gap-4 max-sm:py-1',
                    alignment(column),
                  )}
                >
                  <span aria-hidden="true" className="text-xs text-muted sm:hidden">
                    {column.header}
                  </span>
                  <span className="tabular-nums">{column.cell(row)}</span>
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr className="max-sm:block">
              <td
                colSpan={columns.length}
                className="px-4 py-10 text-center text-muted max-sm:block"
              >
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
  return column.align === 'end' ? 'text-right' : 'text-left'
}
