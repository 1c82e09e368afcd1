import type { Metadata } from 'next'
import { defer, page } from 'plinth/guard/page'
import { Deferred } from '@/ui/page-parts'
import { firstSteps } from '../data/first-steps'
import { activeSessions, usersByRole, usersOverTime } from '../data/overview'
import { signInsByDay } from '../data/sign-ins'
import { mayAdminister } from '../policy'
import { AdminLayout } from '../ui/admin-layout'
import { SignInChart } from '../ui/charts/sign-in-chart'
import { Stats } from '../ui/charts/stats'
import { UserChart } from '../ui/charts/user-chart'
import { FirstSteps } from '../ui/first-steps'

export const metadata: Metadata = { title: 'Administration' }

export default page(
  {
    name: 'view_admin',
    path: '/admin',
    renderCache: true,
    authorize: mayAdminister,
    load: () =>
      defer({
        stats: loadStats(),
        users: usersOverTime(90),
        signIns: signInsByDay(30),
        steps: firstSteps(),
      }),
  },
  ({ data: { stats, users, signIns, steps } }) => (
    <AdminLayout current="/admin" title="Overview">
      <Deferred value={stats} label="Loading user counts">
        {(items) => <Stats items={items} />}
      </Deferred>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-2">
        <Deferred value={users} label="Loading users over time">
          {(days) => <UserChart days={days} />}
        </Deferred>
        <Deferred value={signIns} label="Loading sign-ins">
          {(days) => <SignInChart days={days} />}
        </Deferred>
      </div>
      <Deferred value={steps} label="Loading first steps">
        {(steps) => <FirstSteps steps={steps} />}
      </Deferred>
    </AdminLayout>
  ),
)

async function loadStats() {
  const [{ viewer, editor, admin }, sessions] = await Promise.all([usersByRole(), activeSessions()])
  const format = (count: number) => count.toLocaleString('en-US')
  return [
    { label: 'Users', value: format(viewer + editor + admin) },
    { label: 'Viewers', value: format(viewer) },
    { label: 'Editors', value: format(editor) },
    { label: 'Admins', value: format(admin) },
    { label: 'Active sessions', value: `${sessions.exact ? '' : '> '}${format(sessions.count)}` },
  ]
}
