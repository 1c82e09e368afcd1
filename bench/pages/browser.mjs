import { chromium } from '@playwright/test'
import postgres from 'postgres'
import { findChromium } from '../../packages/plinth/scripts/services/programs.mjs'
import { CommandError, print } from '../../packages/plinth/scripts/terminal.mjs'
import { startCluster } from '../database.mjs'
import { median } from '../load.mjs'
import { secret, startPlinth } from '../servers.mjs'
import { cookieOf } from '../sign-in.mjs'
import { printTable, printTargets } from '../table.mjs'
import { preparePages } from './data.mjs'

const visits = 5
const maxUsableMs = 2000
const latencyMs = 150
const bytesPerSecond = 1_600_000 / 8
const network = {
  offline: false,
  latency: latencyMs,
  downloadThroughput: bytesPerSecond,
  uploadThroughput: bytesPerSecond,
}

/** The users page in a browser with a slow connection and an empty cache. */
export async function benchBrowser() {
  const executablePath = findChromium()
  if (!executablePath) throw new CommandError('Chromium not found. This benchmark requires it.')
  const cluster = await startCluster()
  const database = await cluster.createDatabase('browser')
  const settings = { DATABASE_URL: database, AUTH_SECRET: secret, COMPRESSION: 'on' }
  const plinth = await startPlinth(settings)
  const { token, emails } = await preparePages(database)
  const args = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath, args })
  const user = { token, email: emails[1], database }
  // The first visit warms the server up.
  await visit(browser, plinth.origin, user)
  const results = []
  for (let turn = 0; turn < visits; turn += 1) {
    results.push(await visit(browser, plinth.origin, user))
  }
  await browser.close()
  await plinth.stop()
  await cluster.stop()
  report(results)
}

/** A context of its own has an empty cache. */
async function visit(browser, origin, { token, email, database }) {
  const context = await browser.newContext()
  const [name, value] = cookieOf(token).cookie.split('=')
  await context.addCookies([{ name, value, url: origin }])
  await context.addInitScript(observePage)
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  await protocol.send('Network.enable')
  await protocol.send('Network.emulateNetworkConditions', network)
  let bytes = 0
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(`${origin}/admin/users`, { waitUntil: 'commit' })
  await page.waitForFunction(() => globalThis.observed.interactive)
  const observed = await page.evaluate(() => ({
    ...globalThis.observed,
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  }))
  await page.waitForLoadState('load')
  const kilobytes = bytes / 1024
  await changeRole(page, email, database)
  await context.close()
  const table = Math.max(observed.table, observed.paint)
  return { ...observed, table, kilobytes, usable: Math.max(table, observed.interactive) }
}

/** Runs in the page before its scripts. React marks the elements that it handles events of. */
function observePage() {
  const observed = {}
  globalThis.observed = observed
  const look = () => {
    const buttons = [...document.querySelectorAll('tbody tr button')]
    if (buttons.length >= 25 && buttons.every((button) => button.checkVisibility())) {
      observed.table ??= performance.now()
      const isHydrated = (element) =>
        Object.keys(element).some((key) => key.startsWith('__reactProps$'))
      if (buttons.every(isHydrated)) observed.interactive ??= performance.now()
    }
    if (!observed.interactive) requestAnimationFrame(look)
  }
  look()
}

/** A page that shows the table but cannot save is not usable. */
async function changeRole(page, email, database) {
  const sql = postgres(database, { max: 1 })
  const roleOf = async () => (await sql`select role from users where email = ${email}`)[0].role
  const role = (await roleOf()) === 'viewer' ? 'editor' : 'viewer'
  await page.locator('tbody tr').filter({ hasText: email }).getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').selectOption(role)
  await dialog.getByRole('button').click()
  await page.getByText(`changed to ${role}.`).waitFor()
  const saved = await roleOf()
  await sql.end()
  if (saved !== role) throw new Error(`The page did not save the role: ${saved}, not ${role}.`)
}

function report(results) {
  const of = (figure) => median(results.map((result) => result[figure]))
  const usable = of('usable')
  print(`\n/admin/users in Chromium at 1.6 Mbit/s and ${latencyMs} ms, empty cache, compressed:`)
  print(`medians of ${visits} visits\n`)
  printTable(
    ['first paint ms', 'table ms', 'interactive ms', 'transferred KB'],
    [['paint', 'table', 'interactive', 'kilobytes'].map((figure) => of(figure).toFixed(0))],
  )
  print()
  printTargets([
    {
      target: `the table is visible and responds within ${maxUsableMs} ms`,
      measured: `${usable.toFixed(0)} ms`,
      met: usable <= maxUsableMs,
    },
  ])
}
