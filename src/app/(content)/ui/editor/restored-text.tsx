import { Button } from '@/ui/button'

interface RestoredTextProps {
  /** When it was typed, such as "10:42". */
  time: string
  discard: () => void
}

export function RestoredText({ time, discard }: RestoredTextProps) {
  return (
    <div
      role="status"
      className="notice notice-positive mb-3 flex flex-wrap items-center justify-between gap-3"
    >
      Restored your unsaved text from {time}.
      <Button variant="secondary" size="small" onClick={discard}>
        Discard
      </Button>
    </div>
  )
}
