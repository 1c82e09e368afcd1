'use client'

import { Chart } from './chart'

interface UserChartProps {
  days: readonly { day: string; joined: number; total: number }[]
}

export function UserChart({ days }: UserChartProps) {
  const joined = days.reduce((sum, day) => sum + day.joined, 0)
  const step = 100 / Math.max(days.length - 1, 1)
  return (
    <Chart
      title="Users over time"
      summary={`${joined.toLocaleString('en-US')} current users joined in the last ${days.length} days (UTC).`}
      days={days.map(({ day }) => day)}
      max={Math.max(...days.map(({ total }) => total))}
      draw={(scale) => {
        const points = days.map(
          ({ total }, index) => `${(index * step).toFixed(1)},${(100 - scale(total)).toFixed(1)}`,
        )
        return (
          <>
            <polygon points={`0,100 ${points.join(' ')} 100,100`} className="fill-accent-wash" />
            <polyline
              points={points.join(' ')}
              vectorEffect="non-scaling-stroke"
              strokeWidth="2"
              className="fill-transparent stroke-accent"
            />
          </>
        )
      }}
      table={{
        columns: ['Day', 'Users', 'New'],
        rows: days.map(({ day, total, joined }) => [day, total, joined]).reverse(),
      }}
    />
  )
}
