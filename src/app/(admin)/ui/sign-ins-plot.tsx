import { Plot } from './plot'

interface SignInsPlotProps {
  days: readonly { day: string; succeeded: number; failed: number }[]
}

export function SignInsPlot({ days }: SignInsPlotProps) {
  const succeeded = days.reduce((sum, day) => sum + day.succeeded, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  const width = 100 / days.length
  return (
    <Plot
      title="Sign-ins by day"
      summary={`${succeeded.toLocaleString('en-GB')} worked and ${failed.toLocaleString('en-GB')} failed in the last ${days.length} days (UTC).`}
      legend={<Legend />}
      days={days.map(({ day }) => day)}
      highest={Math.max(...days.map((day) => day.succeeded + day.failed))}
      draw={(scale) =>
        days.map((day, index) => {
          const worked = scale(day.succeeded)
          const refused = scale(day.failed)
          const place = { x: (index + 0.15) * width, width: width * 0.7 }
          return (
            <g key={day.day}>
              <rect {...place} y={100 - worked} height={worked} className="fill-accent" />
              <rect
                {...place}
                y={100 - worked - refused}
                height={refused}
                className="fill-danger-fill"
              />
            </g>
          )
        })
      }
      table={{
        columns: ['Day', 'Worked', 'Failed'],
        rows: days.map(({ day, succeeded, failed }) => [day, succeeded, failed]).reverse(),
      }}
    />
  )
}

function Legend() {
  return (
    <p aria-hidden="true" className="mt-1 flex gap-4 text-xs text-muted">
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm bg-accent" />
        worked
      </span>
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm bg-danger-fill" />
        failed, on top of it
      </span>
    </p>
  )
}
