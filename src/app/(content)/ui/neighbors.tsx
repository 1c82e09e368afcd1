interface ArticleLink {
  id: string
  title: string
}

interface NeighborsProps {
  newer: ArticleLink | undefined
  older: ArticleLink | undefined
}

/** The articles published before and after this one. */
export function Neighbors({ newer, older }: NeighborsProps) {
  if (!newer && !older) return null
  return (
    <nav
      aria-label="Other articles"
      className="mt-10 grid gap-6 border-t border-line pt-6 text-sm sm:grid-cols-2"
    >
      {older && <NeighborLink {...older} rel="prev" label="Previous article" />}
      {newer && <NeighborLink {...newer} rel="next" label="Next article" />}
    </nav>
  )
}

interface NeighborLinkProps extends ArticleLink {
  rel: 'prev' | 'next'
  label: string
}

function NeighborLink({ id, title, rel, label }: NeighborLinkProps) {
  return (
    <a
      href={`/articles/${id}`}
      rel={rel}
      className={rel === 'next' ? 'sm:col-start-2 sm:text-end' : undefined}
    >
      <span className="block text-muted">{label}</span>
      <bdi className="link break-words">{title}</bdi>
    </a>
  )
}
