import type { ReactNode } from 'react'

interface ChartProps {
  title: string
  /** One sentence, also for screen readers. */
  summary: string
  days: readonly string[]
  /** The axis ends at a round number at or above it. */
  max: number
  legend?: ReactNode
  /** Draws into a stretched 100 × 100 view box. `scale` maps a value to its height. */
  draw: (scale: (value: number) => number) => ReactNode
  /** The same data as text, for screen readers and exact values. */
  table: { columns: readonly string[]; rows: readonly (readonly (string | number)[])[] }
}

/** Rendered on the server as SVG: no client code. */
export function Chart({ title, summary, days, max, legend, draw, table }: ChartProps) {
  const top = roundUp(max)
  return (
    <figure className="rounded-lg border border-line bg-surface p-5">
      <figcaption className="mb-4">
        <h2 className="text-base font-semibold">{title}</h2>
        <p className="text-sm text-muted">{summary}</p>
        {legend}
      </figcaption>
      <div className="grid grid-cols-[auto_1fr] gap-x-2 text-xs text-muted tabular-nums">
        <div aria-hidden="true" className="flex flex-col justify-between text-right">
          <span className="-mt-2">{format(top)}</span>
          <span>{format(top / 2)}</span>
          <span className="-mb-2">0</span>
        </div>
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}. ${summary}`}
          className="h-48 w-full overflow-visible"
        >
          {[0, 50, 100].map((y) => (
            <line
              key={y}
              x1="0"
              x2="100"
              y1={y}
              y2={y}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {draw((value) => (value / top) * 100)}
        </svg>
        <span />
        <div aria-hidden="true" className="mt-2 flex justify-between">
          <span>{days[0]}</span>
          <span>{days.at(-1)}</span>
        </div>
      </div>
      <DataTable title={title} {...table} />
    </figure>
  )
}

function DataTable({ title, columns, rows }: ChartProps['table'] & { title: string }) {
  return (
    <details className="mt-4 text-sm">
      <summary className="cursor-pointer font-medium text-accent">View as table</summary>
      <table className="mt-3 w-full text-left tabular-nums [&_tbody_tr]:border-t [&_tbody_tr]:border-line [&_td]:py-1 [&_td]:pr-4 [&_th]:py-1 [&_th]:pr-4 [&_th]:font-normal">
        <caption className="sr-only">{title}</caption>
        <thead className="text-xs text-muted">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {rest.map((value, index) => (
                <td key={columns[index + 1]}>{format(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** To 1, 2, 4 or 10 times a power of ten, so that half of it is a round number too. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  const factor = [1, 2, 4, 10].find((candidate) => candidate * power >= value) ?? 10
  return Math.max(2, factor * power)
}

function format(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : value
}
