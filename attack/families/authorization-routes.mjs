import { createCallers } from '../support/callers.mjs'
import { control, tryAll } from '../verdict.mjs'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Ends the session of the caller, so it cannot be part of the matrix. */
const excluded = ['/api/auth/signout']

/** Every path of the OpenAPI document with every method. */
export async function attackRoutes(target) {
  const admin = await target.signIn('admin')
  const document = await (await target.send('/api/openapi.json')).json()
  const paths = Object.keys(document.paths)
    .filter((path) => !excluded.includes(path))
    .map((path) => path.replace(/\{\w+\}/g, 'x'))
  const users = await target.send('/api/demo/admin/users', { caller: admin })
  control((await users.text()).includes(admin.email), 'an admin lists the users')

  const cases = (await createCallers(target)).flatMap((caller) =>
    paths.flatMap((path) =>
      methods.flatMap((method) => [
        { caller, path, method, headers: {} },
        { caller, path, method, headers: { authorization: `Bearer ${'A'.repeat(43)}` } },
        { caller, path, method, headers: { 'x-user-role': 'admin', 'x-user-id': admin.id } },
      ]),
    ),
  )
  return tryAll(target.sample(cases, 140), async ({ caller, path, method, headers }) => {
    const response = await target.send(path, { caller, method, headers })
    const text = await response.text()
    const description = `${caller.description}: ${method} ${path}`
    if (response.status >= 500) return `${description}: ${response.status}`
    if (text.includes(admin.email)) return `${description} shows ${admin.email}`
    const isAdminRoute = path.includes('/admin/')
    return isAdminRoute && response.ok ? `${description}: ${response.status}` : undefined
  })
}
