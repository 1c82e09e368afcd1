import { connection } from 'next/server'
import { readUsers } from '../../../shared/users.mjs'
import { UsersTable } from '../../../shared/users-table.jsx'

export default async function UsersPage() {
  await connection()
  return <UsersTable {...(await readUsers())} />
}
