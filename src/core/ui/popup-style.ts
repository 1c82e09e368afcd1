/** What menus and selects have in common to the eye. */
export const popupStyle =
  'max-h-(--available-height) min-w-(--anchor-width) origin-(--transform-origin) overflow-y-auto rounded-lg border border-line bg-surface p-1 text-sm text-ink shadow-floating outline-none transition duration-100 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0'

export const popupItemStyle =
  'flex min-h-11 cursor-default select-none items-center gap-2.5 rounded-md px-3 outline-none data-disabled:opacity-50 data-highlighted:bg-sunken sm:min-h-9'
