interface LocalTimeProps {
  at: Date
  /** The day alone, or the time of day too. */
  precision?: 'day' | 'minute'
}

/**
 * A moment where the reader is: public/local-time.js rewrites it in their zone and language.
 * Without it, it is in UTC and says so. The exact moment shows on hover.
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

/** However often it is asked for, React puts it into a page once. */
const script = <script async src="/local-time.js" />
