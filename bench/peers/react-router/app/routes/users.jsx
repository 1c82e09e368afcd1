import { Form, redirect, useLoaderData } from 'react-router'
import { readAdmin } from '../../../shared/session.mjs'
import { readUsers, updateRole } from '../../../shared/users.mjs'
import { UsersTable } from '../../../shared/users-table.jsx'

export async function loader({ request }) {
  await requireAdmin(request)
  return readUsers()
}

export async function action({ request }) {
  await requireAdmin(request)
  await updateRole(await request.formData())
  return null
}

export default function UsersPage() {
  return <UsersTable {...useLoaderData()} Form={RoleForm} />
}

function RoleForm({ children }) {
  return <Form method="post">{children}</Form>
}

async function requireAdmin(request) {
  if (!(await readAdmin(request.headers.get('cookie')))) throw redirect('/sign-in')
}
