interface LocalTimeProps {
  at: Date
  /** `relative` is "5 minutes ago". */
  precision?: 'day' | 'minute' | 'relative'
}

/**
 * public/page.js rewrites it in the user's time zone, or else the browser's, and in its language,
 * and shows the exact time on hover. Without JavaScript it is in UTC.
 */
export function LocalTime({ at, precision = 'day' }: LocalTimeProps) {
  const exact = `${at.toISOString().slice(0, 19)}Z`
  const day = exact.slice(0, 10)
  return (
    <time dateTime={exact} data-local={precision} suppressHydrationWarning>
      {precision === 'day' ? day : `${day} ${exact.slice(11, 16)} UTC`}
    </time>
  )
}
