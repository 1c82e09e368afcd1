import { moveFocus } from './roving-focus'
import { panelOf, type Tab, tabId } from './tab'

interface TabsProps {
  id: string
  selected: Tab
  select: (tab: Tab) => void
}

const tabs = [
  { name: 'write', label: 'Write' },
  { name: 'preview', label: 'Preview' },
] as const

export function Tabs({ id, selected, select }: TabsProps) {
  return (
    <div role="tablist" aria-label="Editor" className="flex gap-1" onKeyDown={moveFocus}>
      {tabs.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabId(id, name)}
          aria-selected={name === selected}
          aria-controls={name === selected ? panelOf(id, name).id : undefined}
          tabIndex={name === selected ? 0 : -1}
          onClick={() => select(name)}
          className="navigation-link aria-selected:bg-sunken aria-selected:text-ink"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
