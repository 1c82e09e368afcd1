import { createFileRoute, redirect } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'
import { getRequestHeader } from '@tanstack/react-start/server'
import { readAdmin } from '../../../shared/session.mjs'
import { readUsers } from '../../../shared/users.mjs'
import { UsersTable } from '../../../shared/users-table.jsx'

const loadUsers = createServerFn().handler(async () => {
  if (!(await readAdmin(getRequestHeader('cookie')))) throw redirect({ to: '/sign-in' })
  return readUsers()
})

export const Route = createFileRoute('/users')({ loader: () => loadUsers(), component: UsersPage })

function UsersPage() {
  return <UsersTable {...Route.useLoaderData()} />
}
