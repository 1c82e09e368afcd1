export type Tab = 'write' | 'preview'

export function tabId(id: string, tab: Tab): string {
  return `${id}-${tab}-tab`
}

/** The attributes of the panel that a tab shows. */
export function panelOf(id: string, tab: Tab) {
  return { id: `${id}-${tab}`, role: 'tabpanel', 'aria-labelledby': tabId(id, tab) }
}
