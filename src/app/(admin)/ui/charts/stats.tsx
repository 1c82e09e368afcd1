interface StatsProps {
  items: readonly { label: string; value: string }[]
}

export function Stats({ items }: StatsProps) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-flow-col sm:auto-cols-fr sm:grid-cols-none">
      {items.map(({ label, value }) => (
        <div key={label} className="bg-surface px-5 py-4 first:max-sm:col-span-2">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="mt-1 text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
