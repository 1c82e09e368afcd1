import { connection } from 'next/server'
import { readUsers, updateRole } from '../../../shared/users.mjs'
import { UsersTable } from '../../../shared/users-table.jsx'

export default async function UsersPage() {
  await connection()
  return <UsersTable {...(await readUsers())} Form={RoleForm} />
}

function RoleForm({ children }) {
  return <form action={saveRole}>{children}</form>
}

async function saveRole(form) {
  'use server'
  await updateRole(form)
}
