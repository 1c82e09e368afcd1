import { redirect, useLoaderData } from 'react-router'
import { readAdmin } from '../../../shared/session.mjs'
import { readUsers } from '../../../shared/users.mjs'
import { UsersTable } from '../../../shared/users-table.jsx'

export async function loader({ request }) {
  if (!(await readAdmin(request.headers.get('cookie')))) throw redirect('/sign-in')
  return readUsers()
}

export default function UsersPage() {
  return <UsersTable {...useLoaderData()} />
}
