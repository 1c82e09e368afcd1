import { redirect } from 'next/navigation'
import { readUsers } from '../../../shared/users.mjs'
import { UsersTable } from '../../../shared/users-table.jsx'
import { auth } from '../../auth.mjs'

export default async function UsersPage() {
  const session = await auth()
  if (!session) redirect('/api/auth/signin')
  return <UsersTable {...(await readUsers())} />
}
