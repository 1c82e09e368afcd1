import { Button } from '@/ui/button'
import { TextLink } from '@/ui/text'

/** Markup only: `FilterForm` is a client component, and the list has a budget of scripts. */
export function ArticleSearch({ query }: { query: string | undefined }) {
  return (
    <search>
      <form className="filter-form">
        <div className="field wide">
          <label htmlFor="query">Search titles and texts</label>
          <input
            id="query"
            name="query"
            type="search"
            dir="auto"
            maxLength={200}
            defaultValue={query}
            className="control"
          />
        </div>
        <div className="filter-actions">
          <Button type="submit">Search</Button>
          {query !== undefined && (
            <TextLink href="/articles" className="py-2 text-sm">
              Clear
            </TextLink>
          )}
        </div>
      </form>
    </search>
  )
}
