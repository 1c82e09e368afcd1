import { Button } from '@/core/ui/button'

interface RestoredTextProps {
  at: Date
  discard: () => void
}

export function RestoredText({ at, discard }: RestoredTextProps) {
  return (
    <div
      role="status"
      className="notice notice-positive mb-3 flex flex-wrap items-center justify-between gap-3"
    >
      Restored your unsaved text from {timeOf(at)}.
      <Button variant="secondary" size="small" onClick={discard}>
        Discard
      </Button>
    </div>
  )
}

/** With the day, if it is not today. */
function timeOf(at: Date): string {
  const isToday = at.toDateString() === new Date().toDateString()
  return at.toLocaleString([], {
    ...(isToday ? {} : { dateStyle: 'medium' }),
    timeStyle: 'short',
  })
}
