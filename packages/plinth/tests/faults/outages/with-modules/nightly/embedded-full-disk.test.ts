import { randomBytes } from 'node:crypto'
import { canMount, mountSmallDisk } from '@tests/scripts/support/mount'
import { expect, test } from 'vitest'
import { randomIp } from '#testing/server/call-action'
import { startServer } from '#testing/server/server'
import { expectOutage, printOutages } from '../../../../support/outages/expect-outage'
import { embeddedDiskFull } from '../../../../support/outages/full-disk'
import { slowly, startLoad } from '../../../../support/outages/load'
import { action, requestKinds, type SignedIn } from '../../../../support/outages/request-kinds'

/** It needs new pages of the disk: random text cannot be compressed. */
const createArticle = {
  name: 'createArticle',
  input: () => ({ title: 'Large', body: randomBytes(16_000).toString('hex') }),
}

async function signIn(url: string, email: string): Promise<SignedIn> {
  const response = await fetch(`${url}/api/auth/signin`, {
    method: 'POST',
    body: JSON.stringify({ email, password: 'plinth-demo-1', transport: 'bearer' }),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': randomIp() },
  })
  const { token, session } = await response.json()
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
    if (!reader || !writer) throw new Error('The sign-ins failed.')
    const users = { reader, writers: [reader, writer], signsIn: ['viewer@example.com'] }
    const large = { ...action(server.url, [reader], createArticle), name: 'large action' }
    const load = startLoad([...requestKinds(server.url, users), large].map(slowly))
    await load.allOk()
    await expectOutage(load, embeddedDiskFull(folder)).finally(async () => {
      await load.stop()
      await server.stop()
      printOutages()
    })
    expect(server.output()).toMatch(/No space left on device.*database unavailable/)
  },
)
