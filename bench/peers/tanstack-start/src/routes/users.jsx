import { createFileRoute, redirect, useRouter } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'
import { getRequestHeader } from '@tanstack/react-start/server'
import { readAdmin } from '../../../shared/session.mjs'
import { readUsers, updateRole } from '../../../shared/users.mjs'
import { UsersTable } from '../../../shared/users-table.jsx'

const loadUsers = createServerFn().handler(async () => {
  await requireAdmin()
  return readUsers()
})

const saveRole = createServerFn({ method: 'POST' }).handler(async ({ data }) => {
  await requireAdmin()
  await updateRole(data)
})

export const Route = createFileRoute('/users')({ loader: () => loadUsers(), component: UsersPage })

function UsersPage() {
  return <UsersTable {...Route.useLoaderData()} Form={RoleForm} />
}

function RoleForm({ children }) {
  const router = useRouter()
  async function submit(event) {
    event.preventDefault()
    await saveRole({ data: new FormData(event.currentTarget) })
    await router.invalidate()
  }
  return <form onSubmit={submit}>{children}</form>
}

async function requireAdmin() {
  if (!(await readAdmin(getRequestHeader('cookie')))) throw redirect({ to: '/sign-in' })
}
