import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { routesOf } from '#api/api'
import { openApiDocument } from '#api/openapi/document'
import { env } from '#config/env'
import { testedApp } from '#testing/setup/tested-app'

type Operation = { responses: Record<string, { content?: Record<string, object> }> }

export type ResponseCheck = (method: string, path: string, response: Response) => Promise<void>

/** Fails unless the OpenAPI document of the app allows the response. */
export function responseCheck(): ResponseCheck {
  const document = openApiDocument(routesOf(testedApp().modules), env().AUTH_URL)
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'api')
  const validators = new Map<string, ValidateFunction>()

  function findOperation(method: string, path: string) {
    const pathname = path.split(/[?#]/, 1)[0] ?? ''
    for (const [template, operations] of Object.entries(document.paths)) {
      const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)
      const operation = operations[method.toLowerCase()] as Operation | undefined
      if (!operation || !pattern.test(pathname)) continue
      return { operation, pointer: `/paths/${escaped(template)}/${method.toLowerCase()}` }
    }
    return undefined
  }

  function validatorAt(pointer: string): ValidateFunction {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    validators.set(pointer, validate)
    return validate
  }

  return async (method, path, response) => {
    const found = findOperation(method, path)
    // HEAD, OPTIONS and unknown paths are not in the document.
    if (!found) return
    const { operation, pointer } = found
    const { status } = response
    const documented = operation.responses[status]
    if (!documented) throw new Error(`${method} ${path} returned ${status}, which is undocumented`)
    const text = await response.text()
    const type = response.headers.get('content-type')?.split(';', 1)[0] ?? ''
    if (!documented.content) {
      if (text !== '') throw new Error(`${method} ${path} ${status} has an undocumented body`)
      return
    }
    if (!documented.content[type])
      throw new Error(`${method} ${path} has undocumented type ${type}`)
    if (!type.endsWith('json')) return
    const validate = validatorAt(`${pointer}/responses/${status}/content/${escaped(type)}/schema`)
    if (!validate(JSON.parse(text))) {
      const reasons = ajv.errorsText(validate.errors)
      throw new Error(`${method} ${path} ${status}: ${reasons}\n${text}`)
    }
  }
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
