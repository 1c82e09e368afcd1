import { classNames } from '@/core/ui/button'
import { Section } from './section'

interface LayersProps {
  layers: readonly { name: string; parts: readonly string[] }[]
}

export function Layers({ layers }: LayersProps) {
  return (
    <Section
      id="layers"
      title="Layers"
      lead="Each layer depends only on the layers below it. The import check fails if one does not."
    >
      <ol className="grid justify-items-center">
        {layers.map(({ name, parts }, index) => (
          <li
            key={name}
            className={classNames(
              'grid w-full gap-x-8 gap-y-3 border px-5 py-6 sm:grid-cols-[8rem_1fr] sm:items-baseline sm:px-8 sm:py-8',
              widths[index],
              index === 0
                ? 'border-dashed border-accent text-accent'
                : 'border-edge bg-surface not-last:border-b-0',
            )}
          >
            <p className="font-semibold">{name}</p>
            <ul className="flex flex-wrap gap-2 text-sm">
              {parts.map((part) => (
                <li
                  key={part}
                  className={classNames(
                    index > 0 && 'rounded-sm bg-sunken px-2.5 py-1 font-mono text-xs',
                  )}
                >
                  {part}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const widths = ['sm:w-3/5', 'sm:w-4/5', 'sm:w-full']
