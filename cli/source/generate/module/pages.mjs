const sortLabels = { newest: 'Newest first', oldest: 'Oldest first' }

export function listPageSource(model) {
  const { many, one, path, policies, shared, searchable, sorts, title, scopeArgument } = model
  const search = searchable.length > 0
  const options = sorts.map((sort) => {
    const label = sortLabels[sort] ?? title.label
    return `  { value: '${sort}', label: '${label}' },`
  })
  const button = `<ButtonLink href="${path}/new">New ${one.text}</ButtonLink>`
  return `import type { Metadata } from 'next'
import { PageLayout } from '@/app/page-layout'
import { defer, page } from 'plinth/guard/page'
import { urlWith } from 'plinth/universal/url'
import { ButtonLink } from '@/ui/button'
import { ${search ? 'FilterForm, FilterInput, FilterSelect' : 'FilterForm, FilterSelect'} } from '@/ui/forms/filter-form'
import { Pagination } from '@/ui/list'
import { Deferred } from '@/ui/page-parts'
import { list${many.pascal} } from '../data'
import { ${[...new Set([policies.read, ...(shared ? ['mayWrite'] : ['canSeeAll'])])].sort().join(', ')} } from '../policy'
import { ${many.camel}Query } from '../query'
import { ${one.pascal}Table } from '../ui/${one.kebab}-table'

export const metadata: Metadata = { title: '${many.title}' }

const sortOptions = [
${options.join('\n')}
]

export default page(
  {
    name: 'view_${many.snake}',
    path: '${path}',
    authorize: ${policies.read},
    query: ${many.camel}Query,
    load: ({ ${scopeArgument}query }) => defer({ results: list${many.pascal}(${scopeArgument}query) }),
  },
  ({ scope, query: { ${search ? 'search, ' : ''}sort }, data: { results } }) => (
    <PageLayout
      current="${path}"
      title="${many.title}"
      actions={${shared ? `mayWrite(scope) && ${button}` : button}}
    >
      <FilterForm submitLabel="${search ? 'Search' : 'Sort'}" clearHref={${search ? `search && '${path}'` : 'undefined'}}>
${search ? '        <FilterInput label="Search" name="search" type="search" maxLength={200} defaultValue={search} wide />\n' : ''}        <FilterSelect label="Sort" name="sort" options={sortOptions} selected={sort} />
      </FilterForm>
      <Deferred value={results} label="Loading ${many.text}">
        {({ ${many.camel}, next, previous }) => (
          <>
            <${one.pascal}Table
              ${many.camel}={${many.camel}}
              ${shared ? 'mayWrite={mayWrite(scope)}' : 'showOwner={canSeeAll(scope)}'}
${search ? '              searched={search !== undefined}\n' : ''}            />
            <Pagination
              label="Pages of ${many.text}"
              previousHref={previous && urlWith('${path}', { ${search ? 'search, ' : ''}sort, cursor: previous })}
              nextHref={next && urlWith('${path}', { ${search ? 'search, ' : ''}sort, cursor: next })}
            />
          </>
        )}
      </Deferred>
    </PageLayout>
  ),
)
`
}

export function newPageSource({ one, many, path, policies }) {
  return `import type { Metadata } from 'next'
import { PageLayout } from '@/app/page-layout'
import { page } from 'plinth/guard/page'
import { create${one.pascal} } from '../../actions'
import { ${policies.write} } from '../../policy'
import { ${one.pascal}Form } from '../../ui/${one.kebab}-form'

export const metadata: Metadata = { title: 'New ${one.text}' }

export default page(
  { name: 'view_new_${one.snake}', path: '${path}/new', authorize: ${policies.write} },
  () => (
    <PageLayout
      current="${path}"
      width="narrow"
      title="New ${one.text}"
      breadcrumbs={[{ href: '${path}', label: '${many.title}' }]}
    >
      <${one.pascal}Form action={create${one.pascal}} submitLabel="Create ${one.text}" cancelHref="${path}" />
    </PageLayout>
  ),
)
`
}

export function editPageSource(model) {
  const { one, many, path, policies, shared, creatorId, scopeArgument } = model
  const found = shared ? one.camel : `${one.camel}?.${creatorId} === scope.session.user.id`
  return `import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import { PageLayout } from '@/app/page-layout'
import { page } from 'plinth/guard/page'
import { save${one.pascal} } from '../../../actions'
import { find${one.pascal} } from '../../../data'
import { ${one.camel}Id } from '../../../fields'
import { ${policies.write} } from '../../../policy'
import { ${one.pascal}Form } from '../../../ui/${one.kebab}-form'

export const metadata: Metadata = { title: 'Edit ${one.text}' }

const params = z.object({ id: ${one.camel}Id })

export default page(
  {
    name: 'view_edit_${one.snake}',
    path: '${path}/[id]/edit',
    authorize: ${policies.write},
    params,
    load: async ({ ${scopeArgument}params: { id } }) => {
      const ${one.camel} = await find${one.pascal}(${scopeArgument}id)
      return ${found} ? ${one.camel} : notFound()
    },
  },
  ({ data: ${one.camel} }) => (
    <PageLayout
      current="${path}"
      width="narrow"
      title="Edit ${one.text}"
      breadcrumbs={[{ href: '${path}', label: '${many.title}' }]}
    >
      <${one.pascal}Form
        action={save${one.pascal}}
        submitLabel="Save changes"
        cancelHref={\`${path}/\${${one.camel}.id}\`}
        ${one.camel}={${one.camel}}
      />
    </PageLayout>
  ),
)
`
}
