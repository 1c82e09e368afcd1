import { importLine } from '../model.mjs'
import { capitalize } from '../names.mjs'

export function showPageSource(model) {
  const { many, one, path, policies, shared, creator, creatorId, fields, scopeArgument } = model
  const rows = fields.map(
    (field) => `          <Detail label="${field.label}">${shown(field, one.camel)}</Detail>`,
  )
  const used = fields.map(({ show }) => show('x')).join('')
  const texts = ['Badge', 'LocalTime', 'TextLink'].filter(
    (name) => name === 'LocalTime' || used.includes(`<${name}`),
  )
  const owns = `${one.camel}.${creatorId} === scope.session.user.id`
  const policyNames = shared ? ['mayDelete', 'mayRead', 'mayWrite'] : ['mayUse']
  return `import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import { PageLayout } from '@/app/page-layout'
import { page } from 'plinth/guard/page'
import { ButtonLink } from '@/ui/button'
import { ConfirmButton } from '@/ui/forms/confirm-button'
import { Detail, DetailList } from '@/ui/page-parts'
${importLine(texts, '@/ui/text')}import { delete${one.pascal} } from '../../actions'
import { find${one.pascal} } from '../../data'
import { ${one.camel}Id } from '../../fields'
import { ${policyNames.join(', ')} } from '../../policy'

export const metadata: Metadata = { title: '${one.title}' }

const params = z.object({ id: ${one.camel}Id })

export default page(
  {
    name: 'view_${one.snake}',
    path: '${path}/[id]',
    authorize: ${policies.read},
    params,
    load: async ({ ${scopeArgument}params: { id } }) => (await find${one.pascal}(${scopeArgument}id)) ?? notFound(),
  },
  ({ scope, data: ${one.camel} }) => {
    const { id } = ${one.camel}
    ${shared ? '' : `const isOwner = ${owns}`}
    return (
      <PageLayout
        current="${path}"
        width="narrow"
        title={${titleText(model)}}
        breadcrumbs={[{ href: '${path}', label: '${many.title}' }]}
      >
        <DetailList>
${rows.join('\n')}
          <Detail label="${capitalize(creator)}">{${one.camel}.${creator}${shared ? "?.name ?? 'Deleted user'" : '.name'}}</Detail>
          <Detail label="Updated"><LocalTime at={${one.camel}.updatedAt} precision="minute" /></Detail>
        </DetailList>
        <div className="mt-8 flex flex-wrap gap-3">
          {${shared ? 'mayWrite(scope)' : 'isOwner'} && (
            <ButtonLink href={\`${path}/\${id}/edit\`} variant="secondary">
              Edit
            </ButtonLink>
          )}
          {${shared ? 'mayDelete(scope)' : 'isOwner'} && (
            <ConfirmButton
              id="delete-${one.kebab}"
              action={delete${one.pascal}}
              fields={{ id }}
              label="Delete"
              title="Delete this ${one.text}?"
              confirm="Delete ${one.text}"
              variant="quiet"
            >
              <p>You cannot undo this.</p>
            </ConfirmButton>
          )}
        </div>
      </PageLayout>
    )
  },
)
`
}

/** The value of a field as JSX children; a missing one is a dash. */
export function shown(field, row) {
  const value = `${row}.${field.property}`
  const jsx = field.show(value)
  const child = jsx.startsWith('<') ? jsx : `{${jsx}}`
  if (!field.optional && field.type !== 'user') return child
  return `{${value} === null ? '–' : ${jsx}}`
}

/** The title of a page is text. */
function titleText({ one, title }) {
  const value = `${one.camel}.${title.property}`
  if (title.type === 'datetime') return `${value}.toISOString().slice(0, 16)`
  return title.type === 'integer' ? `String(${value})` : value
}
