interface LocalTimeProps {
  at: Date
  precision?: 'day' | 'minute'
}

/**
 * public/local-time.js rewrites it in the user's time zone and language. Without JavaScript it is in
 * UTC. The exact time is shown on hover.
 */
export function LocalTime({ at, precision = 'day' }: LocalTimeProps) {
  const exact = at.toISOString()
  const day = exact.slice(0, 10)
  return (
    <>
      {script}
      <time
        dateTime={exact}
        title={exact}
        data-local={precision}
        className="whitespace-nowrap"
        suppressHydrationWarning
      >
        {precision === 'day' ? day : `${day} ${exact.slice(11, 16)} UTC`}
      </time>
    </>
  )
}

/** React deduplicates it. */
const script = <script async src="/local-time.js" />
