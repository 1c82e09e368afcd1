import { capitalize } from './names.mjs'
import { sqlWords } from './reserved.mjs'

const enter = ({ text }) => `'Enter the ${text}.'`
const choose = ({ text }) => `'Choose the ${text}.'`
const input = (type) => (field) => control('InputField', field, `type="${type}"`)

/**
 * The code for a field of each type in the schema, the migration, the form, the pages, the API and the
 * tests. `samples` are two valid values in ascending order, as the API takes them.
 */
export const fieldTypes = {
  string: {
    ts: 'string',
    schema: (field) => `lineField(${enter(field)})`,
    imports: { fields: ['lineField'], column: ['text'] },
    column: (name) => `text('${name}')`,
    sql: 'text',
    maxLength: 200,
    control: (field) => control('InputField', field, 'maxLength={200}'),
    show: (value) => value,
    response: 'z.string()',
    searchable: true,
    samples: ['Alpha', 'Beta'],
  },
  text: {
    ts: 'string',
    schema: (field) => `textField(${enter(field)})`,
    imports: { fields: ['textField'], column: ['text'] },
    column: (name) => `text('${name}')`,
    sql: 'text',
    maxLength: 10_000,
    control: (field) => control('TextAreaField', field, 'rows={6}', 'maxLength={10_000}'),
    show: (value) => `<span className="break-words whitespace-pre-wrap">{${value}}</span>`,
    response: 'z.string()',
    searchable: true,
    long: true,
    samples: ['First line\nsecond line', 'Other text'],
  },
  integer: {
    ts: 'number',
    schema: () => `integerField('Enter a whole number.')`,
    imports: { fields: ['integerField'], column: ['integer'] },
    column: (name) => `integer('${name}')`,
    sql: 'integer',
    control: (field) => control('InputField', field, 'inputMode="numeric"'),
    show: (value) => `${value}.toLocaleString('en-US')`,
    response: 'z.int()',
    samples: [3, 4],
  },
  decimal: {
    ts: 'string',
    schema: () => `decimalField('Enter a number such as 12.50.')`,
    imports: { fields: ['decimalField'], column: ['numeric'] },
    column: (name) => `numeric('${name}')`,
    sql: 'numeric',
    control: (field) => control('InputField', field, 'inputMode="decimal"'),
    show: (value) => value,
    response: 'z.string()',
    samples: ['12.50', '99.95'],
  },
  boolean: {
    ts: 'boolean',
    schema: () => 'z.boolean().default(false)',
    imports: { column: ['boolean'] },
    column: (name) => `boolean('${name}')`,
    sql: 'boolean',
    control: ({ label, property }) =>
      `<CheckboxField label="${label}" name="${property}" defaultChecked={VALUE} />`,
    show: (value) => `${value} ? 'Yes' : 'No'`,
    response: 'z.boolean()',
    samples: [true, false],
  },
  date: {
    ts: 'string',
    schema: () => `z.iso.date('Enter a date.')`,
    imports: { column: ['date'] },
    column: (name) => `date('${name}')`,
    sql: 'date',
    control: input('date'),
    show: (value) => `<time dateTime={${value}}>{${value}}</time>`,
    response: 'z.iso.date()',
    samples: ['2030-01-31', '2030-02-01'],
  },
  datetime: {
    ts: 'Date',
    schema: () => `dateTimeField('Enter a date and time.')`,
    imports: { fields: ['dateTimeField'] },
    column: (name) => `timestamptz('${name}')`,
    sql: 'timestamptz(3)',
    control: (field) =>
      control('InputField', field, 'type="datetime-local"', 'description="In UTC."'),
    formValue: (value) => `${value}?.toISOString().slice(0, 16)`,
    show: (value) => `<LocalTime at={${value}} precision="minute" />`,
    response: 'z.iso.datetime()',
    samples: ['2030-01-31T10:30:00.000Z', '2030-02-01T00:00:00.000Z'],
    browserSample: '2030-01-31T10:30',
  },
  url: {
    ts: 'string',
    schema: () => `urlField('Enter a URL that starts with https://.')`,
    imports: { fields: ['urlField'], column: ['text'] },
    column: (name) => `text('${name}')`,
    sql: 'text',
    maxLength: 2000,
    control: input('url'),
    show: (value) =>
      `<TextLink href={${value}} rel="noreferrer nofollow" className="break-all">{${value}}</TextLink>`,
    response: 'z.url()',
    searchable: true,
    samples: ['https://example.com/a', 'https://example.org/b'],
    unsafe: 'javascript:alert(1)',
  },
  email: {
    ts: 'string',
    schema: () => `emailFieldWith('Enter an email.')`,
    imports: { accounts: ['emailFieldWith'], column: ['text'] },
    column: (name) => `text('${name}')`,
    sql: 'text',
    maxLength: 254,
    control: input('email'),
    show: (value) =>
      `<TextLink href={\`mailto:\${${value}}\`} className="break-all">{${value}}</TextLink>`,
    response: 'z.string()',
    searchable: true,
    samples: ['ann@example.com', 'bob@example.com'],
  },
  enum: {
    ts: 'string',
    schema: (field) => `z.enum(${valuesName(field)}, ${choose(field)})`,
    imports: { column: ['text'] },
    column: (name, field) => `text('${name}', { enum: ${valuesName(field)} })`,
    sql: 'text',
    control: (field) => control('SelectField', field, `options={${field.property}Options}`),
    show: (value) => `<Badge>{${value}}</Badge>`,
    response: (field) => `z.enum(${valuesName(field)})`,
  },
  user: {
    ts: '{ name: string; email: string }',
    schema: () => `emailFieldWith('Enter the email of a user.')`,
    imports: { accounts: ['emailFieldWith'], column: ['uuid'] },
    column: (name) => `uuid('${name}')`,
    sql: 'uuid references users (id) on delete set null',
    control: (field) =>
      control('InputField', field, 'type="email"', 'description="The email of a user."'),
    show: (value) => `${value}.name`,
    response: 'z.strictObject({ id: z.uuid(), name: z.string() })',
    samples: ['viewer@example.com', 'editor@example.com'],
  },
}

function control(component, field, ...props) {
  const { label, property, optional } = field
  const required = optional ? [] : ['required']
  return `<${component} label="${label}" name="${property}" ${[...required, ...props].join(' ')} defaultValue={VALUE} />`
}

/** `status` has the values `statuses`. */
export function valuesName({ property }) {
  if (/(s|x|sh|ch)$/.test(property)) return `${property}es`
  return /[^aeiou]y$/.test(property) ? `${property.slice(0, -1)}ies` : `${property}s`
}

export function samplesOf(field) {
  return field.type === 'enum' ? field.values : fieldTypes[field.type].samples
}

/** The column of a field; a user is stored by id. */
export function columnOf({ type, column }) {
  return type === 'user' ? `${column}_id` : column
}

export function columnProperty({ type, property }) {
  return type === 'user' ? `${property}Id` : property
}

export function sqlName(column) {
  return sqlWords.has(column) ? `"${column}"` : column
}

export function optionLabel(value) {
  return capitalize(value.replaceAll(/[_-]/g, ' '))
}
