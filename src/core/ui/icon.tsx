interface IconProps {
  /** The id of a symbol in public/icons.svg. */
  name: 'menu' | 'close' | 'system' | 'light' | 'dark' | 'alert' | 'delete' | 'search'
}

/** From one file for all icons, which the browser caches. */
export function Icon({ name }: IconProps) {
  return (
    <svg className="icon" aria-hidden="true">
      <use href={`/icons.svg#${name}`} />
    </svg>
  )
}
