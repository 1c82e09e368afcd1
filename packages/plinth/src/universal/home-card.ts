/** The content of a card of the home page. Data only, so that the page can be cached. */
export type HomeCardContent = {
  /** Shown first, and marked. */
  isWarning?: true
  /** One sentence. */
  text?: string
  /** The newest first. */
  items?: readonly { href: string; label: string; detail?: string; at?: Date }[]
  /** Links to what the user can do here. */
  actions?: readonly { href: string; label: string }[]
}

export type HomeCardData = HomeCardContent & { title: string; href: string }
