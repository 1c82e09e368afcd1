import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { routesOf } from '@/api'
import { env } from '@/core/env'
import { describeInterface } from '@/core/http/description/document'
import { modules } from '@/modules'

const document = describeInterface(routesOf(modules), env().AUTH_URL)

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, 'interface')

const validators = new Map<string, ValidateFunction>()

type Operation = { responses: Record<string, { content?: Record<string, object> }> }

/** Fails unless the answer is one that the description of the interface allows. */
export async function expectDescribed(method: string, path: string, answer: Response) {
  const described = findOperation(method, path)
  // HEAD, OPTIONS, and what does not exist, which answers a problem of its own.
  if (!described) return
  const { operation, pointer } = described
  const response = operation.responses[answer.status]
  if (!response) throw new Error(`${method} ${path} answers ${answer.status}, undescribed`)
  const text = await answer.text()
  const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? ''
  if (!response.content) {
    if (text !== '') throw new Error(`${method} ${path} ${answer.status} has a body, undescribed`)
    return
  }
  if (!response.content[type]) throw new Error(`${method} ${path} ${type}, undescribed`)
  if (!type.endsWith('json')) return
  const place = `${pointer}/responses/${answer.status}/content/${escaped(type)}/schema`
  const validate = validatorAt(place)
  if (!validate(JSON.parse(text))) {
    const reasons = ajv.errorsText(validate.errors)
    throw new Error(`${method} ${path} ${answer.status}: ${reasons}\n${text}`)
  }
}

function findOperation(method: string, path: string) {
  const known = path.split(/[?#]/, 1)[0] ?? ''
  for (const [template, operations] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)
    const operation = operations[method.toLowerCase()] as Operation | undefined
    if (!operation || !pattern.test(known)) continue
    return { operation, pointer: `/paths/${escaped(template)}/${method.toLowerCase()}` }
  }
  return undefined
}

function validatorAt(place: string): ValidateFunction {
  const known = validators.get(place) ?? ajv.compile({ $ref: `interface#${place}` })
  validators.set(place, known)
  return known
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
