import { Plot } from './plot'

interface PeoplePlotProps {
  days: readonly { day: string; joined: number; total: number }[]
}

export function PeoplePlot({ days }: PeoplePlotProps) {
  const joined = days.reduce((sum, day) => sum + day.joined, 0)
  const step = 100 / Math.max(days.length - 1, 1)
  return (
    <Plot
      title="People over time"
      summary={`${joined.toLocaleString('en-GB')} of those who are here now came in the last ${days.length} days (UTC).`}
      days={days.map(({ day }) => day)}
      highest={Math.max(...days.map(({ total }) => total))}
      draw={(scale) => {
        const points = days.map(({ total }, index) => `${index * step},${100 - scale(total)}`)
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
        columns: ['Day', 'People', 'New'],
        rows: days.map(({ day, total, joined }) => [day, total, joined]).reverse(),
      }}
    />
  )
}
