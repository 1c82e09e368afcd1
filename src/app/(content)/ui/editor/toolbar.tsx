import type { Command } from './format-text'
import { moveFocus } from './roving-focus'

const buttons: readonly { command: Command; label: string; key?: string }[] = [
  { command: 'bold', label: 'Bold', key: 'B' },
  { command: 'italic', label: 'Italic', key: 'I' },
  { command: 'link', label: 'Link', key: 'K' },
  { command: 'heading', label: 'Heading' },
  { command: 'list', label: 'List' },
  { command: 'quote', label: 'Quote' },
  { command: 'code', label: 'Code' },
]

export function Toolbar({ onCommand }: { onCommand: (command: Command) => void }) {
  const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl+'
  return (
    <div role="toolbar" aria-label="Formatting" className="flex flex-wrap" onKeyDown={moveFocus}>
      {buttons.map(({ command, label, key }, index) => (
        <button
          key={command}
          type="button"
          title={key ? `${label} (${modifier}${key})` : label}
          tabIndex={index === 0 ? 0 : -1}
          onClick={() => onCommand(command)}
          className="rounded-md px-1.5 py-2 text-xs sm:px-2 font-medium text-muted hover:bg-sunken hover:text-ink"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
