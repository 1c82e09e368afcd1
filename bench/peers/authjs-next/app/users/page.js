import { redirect } from 'next/navigation'
import { readUsers, updateRole } from '../../../shared/users.mjs'
import { UsersTable } from '../../../shared/users-table.jsx'
import { auth } from '../../auth.mjs'

export default async function UsersPage() {
  await requireSession()
  return <UsersTable {...(await readUsers())} Form={RoleForm} />
}

function RoleForm({ children }) {
  return <form action={saveRole}>{children}</form>
}

async function saveRole(form) {
  'use server'
  await requireSession()
  await updateRole(form)
}

async function requireSession() {
  const session = await auth()
  if (!session) redirect('/api/auth/signin')
}
