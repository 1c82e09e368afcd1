import type { Metadata } from 'next'
import { page } from '@/core/guard/page'
import type { SignedInScope } from '@/core/guard/policy'
import { soon } from '@/core/guard/soon'
import { Panel } from '@/core/ui/panel'
import { peopleByRole, peopleOverTime, sessionsNow } from '../data/overview'
import { signInsByDay } from '../data/sign-ins'
import { mayAdminister } from '../policy'
import { Figures } from '../ui/figures'
import { Frame } from '../ui/frame'
import { PeoplePlot } from '../ui/people-plot'
import { SignInsPlot } from '../ui/sign-ins-plot'

export const metadata: Metadata = { title: 'Administration' }

export default page(
  {
    name: 'admin',
    path: '/admin',
    who: mayAdminister,
    load: ({ scope }) =>
      soon({
        numbers: numbersNow(scope),
        people: peopleOverTime(scope, 90),
        signIns: signInsByDay(scope, 30),
      }),
  },
  ({ data: { numbers, people, signIns } }) => (
    <Frame current="/admin">
      <h1 className="mb-6 text-2xl">Overview</h1>
      <Panel value={numbers} label="The people are being counted">
        {(figures) => <Figures figures={figures} />}
      </Panel>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-2">
        <Panel value={people} label="The days are being counted">
          {(days) => <PeoplePlot days={days} />}
        </Panel>
        <Panel value={signIns} label="The sign-ins are being counted">
          {(days) => <SignInsPlot days={days} />}
        </Panel>
      </div>
    </Frame>
  ),
)

async function numbersNow(scope: SignedInScope) {
  const [{ viewer, editor, admin }, sessions] = await Promise.all([
    peopleByRole(scope),
    sessionsNow(scope),
  ])
  const shown = (count: number) => count.toLocaleString('en-GB')
  return [
    { label: 'People', value: shown(viewer + editor + admin) },
    { label: 'Viewers', value: shown(viewer) },
    { label: 'Editors', value: shown(editor) },
    { label: 'Admins', value: shown(admin) },
    { label: 'Sessions now', value: `${sessions.exact ? '' : '> '}${shown(sessions.count)}` },
  ]
}
