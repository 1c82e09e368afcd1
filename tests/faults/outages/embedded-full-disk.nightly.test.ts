import { expect, test } from 'vitest'
import { canMount, mountSmallDisk } from '../../scripts/support/mount'
import { expectOutage, printOutages } from '../../support/outages/expect-outage'
import { embeddedDiskFull } from '../../support/outages/full-disk'
import { startLoad } from '../../support/outages/load'
import { requestKinds, type SignedIn } from '../../support/outages/request-kinds'
import { randomIp } from '../../support/random-ip'
import { startServer } from '../../support/server'

const sendSignIn = (url: string, email: string, password = 'plinth-demo-1') =>
  fetch(`${url}/api/auth/signin`, {
    method: 'POST',
    body: JSON.stringify({ email, password, transport: 'bearer' }),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': randomIp() },
  })

async function signIn(url: string, email: string): Promise<SignedIn> {
  const { token, session } = await (await sendSignIn(url, email)).json()
  return { id: session.user.id, email, token }
}

test.skipIf(!canMount)(
  'reads on a full disk, says so in the log, and recovers',
  {
    timeout: 120_000,
  },
  async () => {
    const folder = mountSmallDisk(120)
    const server = await startServer({ DATA_DIR: folder, DATABASE_URL: '', TRUST_PROXY: '1' })
    const [reader, writer] = await Promise.all(
      ['admin@example.com', 'editor@example.com'].map((email) => signIn(server.url, email)),
    )
    if (!reader || !writer) throw new Error('Nobody is signed in.')
    const users = { reader, writers: [reader, writer], signsIn: ['viewer@example.com'] }
    const load = startLoad(requestKinds(server.url, users))
    await load.allOk()
    // Each failed sign-in is an audit event.
    const write = async () => (await sendSignIn(server.url, 'viewer@example.com', 'x')).status
    await expectOutage(load, embeddedDiskFull(folder, write)).finally(async () => {
      await load.stop()
      await server.stop()
      printOutages()
    })
    const messages = server
      .log()
      .filter(({ msg }) => msg === 'database unavailable')
      .map(({ err }) => (err as { message: string }).message)
    expect(messages.join()).toContain('No space left on device')
  },
)
