import { Chart } from './chart'

interface SignInChartProps {
  days: readonly { day: string; succeeded: number; failed: number }[]
}

export function SignInChart({ days }: SignInChartProps) {
  const succeeded = days.reduce((sum, day) => sum + day.succeeded, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  const width = 100 / days.length
  return (
    <Chart
      title="Sign-ins per day"
      summary={`${succeeded.toLocaleString('en-US')} successful and ${failed.toLocaleString('en-US')} failed in the last ${days.length} days (UTC).`}
      legend={<Legend />}
      days={days.map(({ day }) => day)}
      max={Math.max(...days.map((day) => day.succeeded + day.failed))}
      draw={(scale) =>
        days.map((day, index) => {
          const successHeight = scale(day.succeeded)
          const failureHeight = scale(day.failed)
          const position = { x: (index + 0.15) * width, width: width * 0.7 }
          return (
            <g key={day.day}>
              <rect
                {...position}
                y={100 - successHeight}
                height={successHeight}
                className="fill-accent"
              />
              <rect
                {...position}
                y={100 - successHeight - failureHeight}
                height={failureHeight}
                className="fill-danger-fill"
              />
            </g>
          )
        })
      }
      table={{
        columns: ['Day', 'Successful', 'Failed'],
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
        Successful
      </span>
      <span className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm bg-danger-fill" />
        Failed
      </span>
    </p>
  )
}
