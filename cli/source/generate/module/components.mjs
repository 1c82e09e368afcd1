import { optionLabel } from '../field-types.mjs'
import { importLine } from '../model.mjs'
import { indefinite } from '../names.mjs'
import { shown } from './show-page.mjs'

export function formSource(model) {
  const { one, fields } = model
  const components = fields.map(({ control, ...field }) => /^<(\w+)/.exec(control(field))[1])
  const options = fields
    .filter(({ type }) => type === 'enum')
    .map(
      ({ property, values, optional }) => `
const ${property}Options = [
${optional ? "  { value: '', label: 'None' },\n" : ''}${values.map((value) => `  { value: '${value}', label: '${optionLabel(value)}' },`).join('\n')}
]
`,
    )
  const controls = fields.map((field) => {
    const value = formValue(field, one.camel)
    return `      ${field.control(field).replace('VALUE', value)}`
  })
  return `import type { FormAction } from 'plinth/universal/action-result'
import { ButtonLink } from '@/ui/button'
${importLine(components, '@/ui/forms/field')}import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'

interface ${one.pascal}FormProps {
  action: FormAction
  submitLabel: string
  cancelHref: string
  /** Without it the form creates ${indefinite(one.text)}. */
  ${one.camel}?: ${one.pascal}Values
}

interface ${one.pascal}Values {
  id: string
  version: number
${fields.map(typeLine).join('\n')}
}
${options.join('')}
export function ${one.pascal}Form({ action, submitLabel, cancelHref, ${one.camel} }: ${one.pascal}FormProps) {
  return (
    <Form action={action} fields={${one.camel} ? { id: ${one.camel}.id, version: String(${one.camel}.version) } : {}}>
${controls.join('\n')}
      <div className="flex flex-wrap gap-3">
        <SubmitButton>{submitLabel}</SubmitButton>
        <ButtonLink href={cancelHref} variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  )
}
`
}

function typeLine({ property, ts, optional, type }) {
  return `  ${property}: ${ts}${optional || type === 'user' ? ' | null' : ''}`
}

function formValue(field, row) {
  const value = `${row}?.${field.property}`
  if (field.formValue) return field.formValue(value)
  if (field.type === 'user') return `${value}?.email`
  if (field.type === 'boolean') return `${value} ?? false`
  return field.optional ? `${value} ?? undefined` : value
}

export function tableSource(model) {
  const { many, one, path, fields, title, shared, searchable } = model
  const search = searchable.length > 0
  const others = columnsBeside(title, fields)
  const titleShown = title.show(`${one.camel}.${title.property}`)
  const titleText = titleShown.startsWith('<') ? plain(title, one.camel) : `{${titleShown}}`
  const used = others.map((field) => shown(field, one.camel)).join('')
  const badge = used.includes('<Badge') ? 'Badge, ' : ''
  const columns = others.map(
    (field) =>
      `        { header: '${field.label}', cell: (${one.camel}) => ${cell(shown(field, one.camel))} },`,
  )
  const owner = shared
    ? ''
    : `        ...(showOwner ? [{ header: 'Owner', cell: ({ owner }: ${one.pascal}Row) => owner.name }] : []),\n`
  return `import { Table } from '@/ui/list'
import { EmptyState } from '@/ui/page-parts'
import { ${badge}LocalTime, TextLink } from '@/ui/text'

interface ${one.pascal}Row {
  id: string
${[title, ...others].map(typeLine).join('\n')}
  createdAt: Date
${shared ? '' : '  owner: { name: string }\n'}}

interface ${one.pascal}TableProps {
  ${many.camel}: readonly ${one.pascal}Row[]
  ${shared ? 'mayWrite' : 'showOwner'}: boolean
${search ? '  searched: boolean\n' : ''}}

export function ${one.pascal}Table({ ${many.camel}, ${shared ? 'mayWrite' : 'showOwner'}${search ? ', searched' : ''} }: ${one.pascal}TableProps) {
  if (${many.camel}.length === 0${search ? ' && !searched' : ''}) {
    return (
      <EmptyState
        title="No ${many.text} yet."
        action={${shared ? 'mayWrite ? ' : ''}{ href: '${path}/new', label: 'New ${one.text}' }${shared ? ' : undefined' : ''}}
      />
    )
  }
  return (
    <Table
      caption="${many.title}"
      rows={${many.camel}}
      rowKey={({ id }) => id}
      empty="No ${many.text} match your search."
      columns={[
        {
          header: '${title.label}',
          cell: (${one.camel}) => (
            <TextLink href={\`${path}/\${${one.camel}.id}\`} className="break-words">
              ${titleText}
            </TextLink>
          ),
        },
${columns.join('\n')}
${owner}        { header: 'Created', cell: ({ createdAt }) => <LocalTime at={createdAt} />, align: 'end' },
      ]}
    />
  )
}
`
}

/** At most four, required ones first, in the order of the fields. */
function columnsBeside(title, fields) {
  const short = fields.filter((field) => field !== title && !field.long)
  const chosen = short.toSorted((one, other) => one.optional - other.optional).slice(0, 4)
  return short.filter((field) => chosen.includes(field))
}

/** A link cannot contain another link. */
function plain({ property, type }, row) {
  return type === 'datetime'
    ? `{${row}.${property}.toISOString().slice(0, 16)}`
    : `{${row}.${property}}`
}

function cell(jsx) {
  return jsx.startsWith('{') ? jsx.slice(1, -1) : jsx
}
