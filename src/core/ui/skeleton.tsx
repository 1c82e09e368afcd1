/** A placeholder that prevents a layout shift when the content arrives. */
export function Skeleton({ lines = 6, label }: { lines?: number; label: string }) {
  return (
    <div role="status" className="grid gap-4 rounded-lg border border-line bg-surface p-5">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical and static
          key={index}
          aria-hidden="true"
          className="block h-4 animate-pulse rounded-sm bg-sunken even:w-3/4"
        />
      ))}
    </div>
  )
}
