import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { createApi, routesOf } from 'plinth/api/api'
import { openApiDocument } from 'plinth/api/openapi/document'
import { env } from 'plinth/config/env'
import { installModules } from 'plinth/modules/installed-modules'
import { demoPassword } from 'plinth/universal/users'
import { expect } from 'vitest'
import { modules } from '@/modules'

const api = createApi(modules)

/** The test file whose clients use the API with all modules. */
let usedBy: string | undefined

function apiOfFile() {
  const { testPath } = expect.getState()
  if (testPath !== usedBy) installModules(modules)
  usedBy = testPath
  return api
}

let clients = 0

/** An API client with its own IP that keeps cookies as a browser does. */
export function newClient(reportedIp?: string) {
  const api = apiOfFile()
  // Each client has its own IP, so that no client uses up the rate limit of another.
  Object.assign(env(), { TRUST_PROXY: 1 })
  clients += 1
  const ip = reportedIp ?? `10.0.${clients >> 8}.${clients & 255}`
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', ip)
    if (cookies.size > 0 && !headers.has('cookie')) {
      headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    }
    const response = await api.request(path, { ...init, headers })
    await expectMatchesOpenApi(init.method ?? 'GET', path, response.clone())
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

  return {
    ip,
    cookies,
    send,
    post,
    signIn: (email: string, password = demoPassword, more: object = {}) =>
      post('/api/auth/signin', { email, password, redirect: false, ...more }),
    session: async (headers: Record<string, string> = {}) =>
      (await send('/api/auth/session', { headers })).json(),
  }
}

const document = openApiDocument(routesOf(modules), env().AUTH_URL)

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, 'api')

const validators = new Map<string, ValidateFunction>()

type Operation = { responses: Record<string, { content?: Record<string, object> }> }

/** Fails unless the OpenAPI document allows the response. */
async function expectMatchesOpenApi(method: string, path: string, response: Response) {
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
  if (!documented.content[type]) throw new Error(`${method} ${path} has undocumented type ${type}`)
  if (!type.endsWith('json')) return
  const validate = validatorAt(`${pointer}/responses/${status}/content/${escaped(type)}/schema`)
  if (!validate(JSON.parse(text))) {
    const reasons = ajv.errorsText(validate.errors)
    throw new Error(`${method} ${path} ${status}: ${reasons}\n${text}`)
  }
}

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

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
