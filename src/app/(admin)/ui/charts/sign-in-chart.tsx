'use client'

import { Chart } from './chart'

interface SignInChartProps {
  days: readonly { day: string; succeeded: number; failed: number }[]
}

export function SignInChart({ days }: SignInChartProps) {
  const succeeded = days.reduce((sum, day) => sum + day.succeeded, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  return (
    <Chart
      title="Sign-ins per day"
      summary={`${succeeded.toLocaleString('en-US')} successful and ${failed.toLocaleString('en-US')} failed in the last ${days.length} days (UTC).`}
      legend={<Legend />}
      days={days.map(({ day }) => day)}
      max={Math.max(...days.map((day) => day.succeeded + day.failed))}
      draw={(scale) => {
        const bars = days.map(({ succeeded, failed }) => [scale(succeeded), scale(failed)] as const)
        return (
          <>
            <path d={barsPath(bars.map(([height]) => [0, height]))} className="fill-accent" />
            <path d={barsPath(bars)} className="fill-danger-fill" />
          </>
        )
      }}
      table={{
        columns: ['Day', 'Successful', 'Failed'],
        rows: days.map(({ day, succeeded, failed }) => [day, succeeded, failed]).reverse(),
      }}
    />
  )
}

/** Bars of a base and a height, side by side in a 100 × 100 view box. */
function barsPath(bars: readonly (readonly [base: number, height: number])[]): string {
  const width = 100 / bars.length
  return bars
    .map(([base, height], index) => {
      const [x, y] = [(index + 0.15) * width, 100 - base - height].map(round)
      return height > 0
        ? `M${x} ${y}h${round(width * 0.7)}v${round(height)}h${-round(width * 0.7)}z`
        : ''
    })
    .join('')
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function Legend() {
  return (
    <p aria-hidden="true" className="mt-1 flex gap-4 text-xs text-muted">
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm bg-accent" />
        Successful
      </span>
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm bg-danger-fill" />
        Failed
      </span>
    </p>
  )
}
