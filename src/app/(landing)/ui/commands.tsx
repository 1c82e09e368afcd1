import { Section } from './section'

interface CommandsProps {
  commands: readonly { command: string; description: string }[]
}

export function Commands({ commands }: CommandsProps) {
  return (
    <Section id="commands" title="Commands">
      <dl className="overflow-hidden rounded-lg border border-line bg-surface">
        {commands.map(({ command, description }) => (
          <div
            key={command}
            className="grid gap-x-8 gap-y-1 px-5 py-4 not-last:border-b not-last:border-line sm:grid-cols-[12rem_1fr] sm:px-8"
          >
            <dt className="font-mono text-sm">
              <span aria-hidden="true" className="mr-2 text-muted select-none">
                $
              </span>
              {command}
            </dt>
            <dd className="text-muted">{description}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-8 max-w-2xl text-muted">
        This page is the module <code className="font-mono text-sm text-ink">(landing)</code>. Edit
        it, or delete the folder{' '}
        <code className="font-mono text-sm text-ink">src/app/(landing)</code> to remove it.
      </p>
    </Section>
  )
}
